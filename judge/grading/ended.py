"""How a program of a package ended, in words for its author."""

from typing import assert_never

from sandbox.contract import Ending, Outcome


def ended(outcome: Outcome) -> str:
    """The end of a sentence that begins with the program."""
    ending = outcome.ending
    used = f"{outcome.cpu_seconds:.2f} s of CPU time"
    match ending:
        case Ending.EXITED:
            return f"ended with exit code {outcome.exit_code}"
        case Ending.SIGNALLED:
            return f"crashed (signal {outcome.signal})"
        case Ending.CPU_TIME:
            return f"was stopped after {used}: it took too long"
        case Ending.WALL_TIME:
            return f"was stopped after {outcome.wall_seconds:.0f} s by the clock, in which it used {used}"
        case Ending.MEMORY:
            return f"was stopped for using too much memory ({outcome.memory_bytes >> 20} MiB)"
        case Ending.OUTPUT:
            return "was stopped because it wrote more than it may"
        case Ending.PROCESSES:
            return "failed because it started more processes or threads than it may"
        case Ending.REFUSED:
            return "was stopped for asking the system for something that is not allowed"
        case Ending.NOT_STARTED:
            return "could not be started"
        case _:
            assert_never(ending)
