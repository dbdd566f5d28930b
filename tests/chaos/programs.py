"""Programs whose verdict is known, for the problem of `tests.shelf`."""

from dataclasses import dataclass

from judge.grading.verdict import Verdict
from tests.shelf import RIGHT, SLOW, WRONG

CASES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What is sent, and what must come of it."""

    language: str
    text: bytes
    verdict: Verdict
    cases: int
    """Results that a judging has; those not run after a first failure by time are among them."""

    @property
    def name(self) -> str:
        return "main.py" if self.language == "python3" else "main.cpp"


_CPP = b"#include <iostream>\nint main() { long n; std::cin >> n; std::cout << 2 * n << '\\n'; }\n"
PROGRAMS = (
    Program(language="python3", text=RIGHT, verdict=Verdict.ACCEPTED, cases=CASES),
    Program(language="python3", text=WRONG, verdict=Verdict.WRONG_ANSWER, cases=CASES),
    Program(language="python3", text=SLOW, verdict=Verdict.ACCEPTED, cases=CASES),
    Program(
        language="python3", text=b"n = int(input())\nprint(1 // (n - 2))\n", verdict=Verdict.RUN_TIME_ERROR, cases=CASES
    ),
    Program(language="python3", text=b"print(\n", verdict=Verdict.COMPILE_ERROR, cases=0),
    Program(language="python3", text=b"while True:\n    pass\n", verdict=Verdict.TIME_LIMIT_EXCEEDED, cases=CASES),
    Program(language="cpp17", text=_CPP, verdict=Verdict.ACCEPTED, cases=CASES),
    Program(language="cpp17", text=_CPP.replace(b"2 * n", b"3 * n"), verdict=Verdict.WRONG_ANSWER, cases=CASES),
)


def program(number: int) -> Program:
    """The one for the submission with this number: of the slow kinds fewer than of the others, and each text once."""
    kind = PROGRAMS[number % len(PROGRAMS)]
    if kind.text in (SLOW, PROGRAMS[5].text) and number % 3:
        kind = PROGRAMS[0]
    mark = b"\n# %d\n" if kind.language == "python3" else b"\n// %d\n"
    return Program(language=kind.language, text=kind.text + mark % number, verdict=kind.verdict, cases=kind.cases)
