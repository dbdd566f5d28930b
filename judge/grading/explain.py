"""What happened, in sentences for a beginner. Nothing of secret data gets into them."""

import signal
from typing import assert_never

from judge.grading.executable import Executable
from judge.grading.run import LEEWAY, Allowance, Measured, slept, starved
from judge.grading.traces import uncaught
from judge.grading.verdict import Verdict
from problems.say import say
from sandbox.contract import Ending, Outcome

NOT_JUDGED = say("case", "could not be judged. This is not the fault of your program; the course staff can see why.")
RIGHT_SO_FAR = " " + say("said", "What it had printed until then was right; only its end was wrong.")
"""Ends the sentence about a crash after a right output."""

_SIGNALS = {
    signal.SIGSEGV: say(
        "part",
        "it touched memory that is not its own (segmentation fault): "
        "an index outside an array, a null pointer, or a recursion that goes too deep",
    ),
    signal.SIGBUS: say("part", "it touched memory that is not there (bus error)"),
    signal.SIGFPE: say("part", "an arithmetic error, nearly always a division by zero"),
    signal.SIGABRT: say(
        "part", "it aborted itself: a failed assert, an exception nobody caught, or memory freed twice"
    ),
    signal.SIGILL: say("part", "an illegal instruction, often a function that ends without returning its value"),
    signal.SIGKILL: say("part", "it was killed (signal 9)"),
    signal.SIGTERM: say("part", "it was ended by signal 15 (terminate)"),
    signal.SIGPIPE: say("part", "it wrote where nobody reads any more (broken pipe)"),
    signal.SIGTRAP: say("part", "it stopped at a trap (signal 5)"),
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
            return say("case", "is right (%(cpu)s of CPU).", cpu=seconds(outcome.cpu_seconds))
        case Verdict.WRONG_ANSWER:
            if interactive and outcome.stdout.strip():
                return say("case", "went wrong: the judge's side did not accept what your program said.")
            if not outcome.stdout.strip():
                return say("case", "printed nothing at all.")
            return say("case", "printed a wrong answer.")
        case Verdict.TIME_LIMIT_EXCEEDED:
            if interactive and outcome.ending == Ending.WALL_TIME and not starved(outcome):
                return _waited(outcome, executable, allowance)
            return _time(measured, allowance)
        case Verdict.MEMORY_LIMIT_EXCEEDED:
            limit = mib(allowance.memory_bytes)
            return say("case", "needed more memory than the %(limit)s allowed and was stopped.", limit=limit)
        case Verdict.OUTPUT_LIMIT_EXCEEDED:
            limit = mib(allowance.output_bytes)
            return say(
                "case",
                "wrote more than the %(limit)s of output allowed: perhaps a loop that prints never ends.",
                limit=limit,
            )
        case Verdict.RUN_TIME_ERROR:
            said = _crash(outcome, executable, shown=shown)
            return said + (RIGHT_SO_FAR if output_right else "")
        case Verdict.JUDGE_ERROR:
            return NOT_JUDGED
        case Verdict.COMPILE_ERROR:
            return say("case", "was not run: the program does not compile.")
        case _:
            assert_never(verdict)


def _time(measured: Measured, allowance: Allowance) -> str:
    outcome = measured.outcome
    limit, cpu = f"{allowance.cpu_seconds:g} s", seconds(outcome.cpu_seconds)
    if slept(outcome, allowance.cpu_seconds):
        return say(
            "case",
            "was stopped after %(wall)s, of which it had computed only %(cpu)s (the limit is %(limit)s of CPU): it "
            "slept, "
            "or waited for something that never comes.",
            wall=seconds(outcome.wall_seconds),
            cpu=cpu,
            limit=limit,
        )
    if outcome.ending == Ending.WALL_TIME:
        return say(
            "case",
            "was stopped after %(wall)s, of which it had computed %(cpu)s (the limit is %(limit)s of CPU): it is too "
            "slow, or a loop never ends.",
            wall=seconds(outcome.wall_seconds),
            cpu=cpu,
            limit=limit,
        )
    if outcome.ending == Ending.CPU_TIME:
        stopped = max(outcome.cpu_seconds, LEEWAY * allowance.cpu_seconds)
        return say(
            "case",
            "was stopped after %(cpu)s of CPU; the limit is %(limit)s, and programs are let run to %(leeway)s times "
            "it.",
            cpu=seconds(stopped),
            limit=limit,
            leeway=f"{LEEWAY:g}",
        )
    if measured.cpu_range is None:
        return say("case", "took %(cpu)s of CPU; the limit is %(limit)s.", cpu=cpu, limit=limit)
    low, high = map(seconds, measured.cpu_range)
    return say(
        "case",
        "took %(cpu)s of CPU (measured three times: %(low)s to %(high)s); the limit is %(limit)s.",
        cpu=cpu,
        low=low,
        high=high,
        limit=limit,
    )


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
    return say(
        "case",
        "was stopped after %(wall)s, of which it had computed only %(cpu)s (the limit is %(limit)s of CPU): your "
        "program "
        "waited for an answer that never came. Flush your output after each line%(how)s, and read no more than the "
        "judge's side sends.",
        wall=seconds(outcome.wall_seconds),
        cpu=seconds(outcome.cpu_seconds),
        limit=f"{allowance.cpu_seconds:g} s",
        how=f" ({how})" if how else "",
    )


def handed_in(verdict: Verdict, answer: bytes) -> str:
    """The same for an answer that was handed in, where nothing was run."""
    if verdict == Verdict.ACCEPTED:
        return say("case", "is right.")
    if verdict == Verdict.WRONG_ANSWER:
        return say("case", "has a wrong answer.") if answer.strip() else say("case", "has no answer.")
    return say("case", "could not be judged. This is not the fault of your answer; the course staff can see why.")


def _crash(outcome: Outcome, executable: Executable, *, shown: bool) -> str:
    ending = outcome.ending
    match ending:
        case Ending.SIGNALLED:
            number = outcome.signal or 0
            what = _SIGNALS.get(number)  # type: ignore[call-overload]
            what = what or say("part", "it was ended by signal %(number)d", number=number)
            return say("case", "crashed: %(what)s.", what=what)
        case Ending.PROCESSES:
            return say("case", "tried to start more processes or threads than are allowed.")
        case Ending.REFUSED:
            return say("case", "was stopped: it asked the system for something that programs may not do here.")
        case _:
            what = uncaught(outcome.stderr, executable, shown=shown)
            if what:
                return say("case", "ended with %(what)s.", what=what)
            # Of a secret case the code would tell a byte of its input.
            what = say("part", "an exit code other than 0")
            if shown:
                what = say("part", "exit code %(code)d", code=outcome.exit_code)
            if executable.language.code in ("c", "cpp"):
                return say("case", "ended with %(what)s; a program must end with 0 (in main: return 0).", what=what)
            return say("case", "ended with %(what)s; a program must end with 0.", what=what)
