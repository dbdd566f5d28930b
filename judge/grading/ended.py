"""How a program of a package ended, in words for its author."""

from typing import assert_never

from problems.say import say
from sandbox.contract import Ending, Outcome


def ended(outcome: Outcome) -> str:
    """The end of a sentence that begins with the program."""
    ending = outcome.ending
    used = f"{outcome.cpu_seconds:.2f}"
    match ending:
        case Ending.EXITED:
            return say("part", "ended with exit code %(code)d", code=outcome.exit_code)
        case Ending.SIGNALLED:
            return say("part", "crashed (signal %(number)d)", number=outcome.signal)
        case Ending.CPU_TIME:
            return say("part", "was stopped after %(cpu)s s of CPU time: it took too long", cpu=used)
        case Ending.WALL_TIME:
            clock = f"{outcome.wall_seconds:.0f}"
            return say(
                "part",
                "was stopped after %(clock)s s by the clock, in which it used %(cpu)s s of CPU time",
                clock=clock,
                cpu=used,
            )
        case Ending.MEMORY:
            return say("part", "was stopped for using too much memory (%(size)d MiB)", size=outcome.memory_bytes >> 20)
        case Ending.OUTPUT:
            return say("part", "was stopped because it wrote more than it may")
        case Ending.PROCESSES:
            return say("part", "failed because it started more processes or threads than it may")
        case Ending.REFUSED:
            return say("part", "was stopped for asking the system for something that is not allowed")
        case Ending.NOT_STARTED:
            return say("part", "could not be started")
        case _:
            assert_never(ending)
