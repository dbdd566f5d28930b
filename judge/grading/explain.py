"""What happened, in sentences for a beginner. Nothing of secret data gets into them."""

import signal
from typing import assert_never

from judge.grading.executable import Executable
from judge.grading.run import LEEWAY, Allowance, Measured
from judge.grading.traces import uncaught
from judge.grading.verdict import Verdict
from sandbox.contract import Ending, Outcome

RIGHT_SO_FAR = " What it had printed until then was right; only its end was wrong."
"""Ends the sentence about a crash after a right output."""

_SIGNALS = {
    signal.SIGSEGV: "it touched memory that is not its own (segmentation fault): "
    "an index outside an array, a null pointer, or a recursion that goes too deep",
    signal.SIGBUS: "it touched memory that is not there (bus error)",
    signal.SIGFPE: "an arithmetic error, nearly always a division by zero",
    signal.SIGABRT: "it aborted itself: a failed assert, an exception nobody caught, or memory freed twice",
    signal.SIGILL: "an illegal instruction, often a function that ends without returning its value",
    signal.SIGKILL: "it was killed (signal 9)",
    signal.SIGTERM: "it was ended by signal 15 (terminate)",
    signal.SIGPIPE: "it wrote where nobody reads any more (broken pipe)",
    signal.SIGTRAP: "it stopped at a trap (signal 5)",
}


def seconds(value: float) -> str:
    """CPU or wall seconds as people read them, to 10 ms."""
    return f"{value:.2f} s"


def mib(size: int) -> str:
    return f"{size / (1 << 20):g} MiB"


def happened(
    measured: Measured,
    verdict: Verdict,
    executable: Executable,
    allowance: Allowance,
    *,
    output_right: bool,
    shown: bool,
    interactive: bool = False,
) -> str:
    """The end of a sentence that begins with the case: what the program did there and which limit or rule it met.

    `shown`: the case is open to the student, so the program's own messages may be quoted. `interactive`: it talked to
    the judge's side.
    """
    outcome = measured.outcome
    match verdict:
        case Verdict.ACCEPTED:
            return f"is right ({seconds(outcome.cpu_seconds)} of CPU)."
        case Verdict.WRONG_ANSWER:
            if interactive and outcome.stdout.strip():
                return "went wrong: the judge's side did not accept what your program said."
            return "printed nothing at all." if not outcome.stdout.strip() else "printed a wrong answer."
        case Verdict.TIME_LIMIT_EXCEEDED:
            if interactive and outcome.ending == Ending.WALL_TIME:
                return _waited(outcome, executable, allowance)
            return _time(measured, allowance)
        case Verdict.MEMORY_LIMIT_EXCEEDED:
            return f"needed more memory than the {mib(allowance.memory_bytes)} allowed and was stopped."
        case Verdict.OUTPUT_LIMIT_EXCEEDED:
            limit = mib(allowance.output_bytes)
            return f"wrote more than the {limit} of output allowed: perhaps a loop that prints never ends."
        case Verdict.RUN_TIME_ERROR:
            said = _crash(outcome, executable, shown=shown)
            return said + (RIGHT_SO_FAR if output_right else "")
        case Verdict.JUDGE_ERROR:
            return "could not be judged. This is not the fault of your program; the course staff can see why."
        case Verdict.COMPILE_ERROR:
            return "was not run: the program does not compile."
        case _:
            assert_never(verdict)


def _time(measured: Measured, allowance: Allowance) -> str:
    outcome = measured.outcome
    limit = f"the limit is {allowance.cpu_seconds:g} s"
    if outcome.ending == Ending.WALL_TIME:
        return (
            f"was stopped after {seconds(outcome.wall_seconds)}, of which it had computed only "
            f"{seconds(outcome.cpu_seconds)} ({limit} of CPU): it slept, or waited for something that never comes."
        )
    if outcome.ending == Ending.CPU_TIME:
        stopped = max(outcome.cpu_seconds, LEEWAY * allowance.cpu_seconds)
        return f"was stopped after {seconds(stopped)} of CPU; {limit}, and programs are let run to {LEEWAY:g} times it."
    low, high = measured.cpu_range or (outcome.cpu_seconds, outcome.cpu_seconds)
    runs = f" (measured three times: {seconds(low)} to {seconds(high)})" if measured.cpu_range else ""
    return f"took {seconds(outcome.cpu_seconds)} of CPU{runs}; {limit}."


_FLUSHES = {
    "c": "fflush(stdout)",
    "cpp": "std::cout << std::flush, or std::endl",
    "python3": "print(..., flush=True)",
    "java": "System.out.flush()",
    "kotlin": "System.out.flush()",
    "csharp": "Console.Out.Flush()",
    "go": "Flush() of its bufio.Writer",
    "rust": "std::io::stdout().flush()",
    "pascal": "flush(output)",
}


def _waited(outcome: Outcome, executable: Executable, allowance: Allowance) -> str:
    how = _FLUSHES.get(executable.language.code)
    return (
        f"was stopped after {seconds(outcome.wall_seconds)}, of which it had computed only "
        f"{seconds(outcome.cpu_seconds)} (the limit is {allowance.cpu_seconds:g} s of CPU): your program waited for an "
        f"answer that never came. Flush your output after each line{f' ({how})' if how else ''}, and read no more than "
        "the judge's side sends."
    )


def handed_in(verdict: Verdict, answer: bytes) -> str:
    """The same for an answer that was handed in, where nothing was run."""
    if verdict == Verdict.ACCEPTED:
        return "is right."
    if verdict == Verdict.WRONG_ANSWER:
        return "has a wrong answer." if answer.strip() else "has no answer."
    return "could not be judged. This is not the fault of your answer; the course staff can see why."


def _crash(outcome: Outcome, executable: Executable, *, shown: bool) -> str:
    ending = outcome.ending
    match ending:
        case Ending.SIGNALLED:
            number = outcome.signal or 0
            what = _SIGNALS.get(number)  # type: ignore[call-overload]
            return f"crashed: {what or f'it was ended by signal {number}'}."
        case Ending.PROCESSES:
            return "tried to start more processes or threads than are allowed."
        case Ending.REFUSED:
            return "was stopped: it asked the system for something that programs may not do here."
        case _:
            what = uncaught(outcome.stderr, executable, shown=shown)
            if what:
                return f"ended with {what}."
            how = " (in main: return 0)" if executable.language.code in ("c", "cpp") else ""
            # Of a secret case the code would tell a byte of its input.
            code = f"exit code {outcome.exit_code}" if shown else "an exit code other than 0"
            return f"ended with {code}; a program must end with 0{how}."
