"""`allow_file_writing`: without it the working folder of a submission stays as it is."""

from dataclasses import replace

import pytest

from judge.grading.verdict import Verdict
from tests.grading.conftest import LIMITS, Judge, needs

WRITES = {
    "python3": "open('x', 'w').write(input())\nprint(sum(map(int, open('x').read().split())))\n",
    "c17": '#include <stdio.h>\nint main() { FILE *f = fopen("x", "w"); if (!f) return 3; int a, b; '
    'scanf("%d%d", &a, &b); printf("%d\\n", a + b); return 0; }\n',
    "java": 'class A { public static void main(String[] x) throws Exception { new java.io.FileWriter("x").close(); '
    "var in = new java.util.Scanner(System.in); System.out.println(in.nextInt() + in.nextInt()); } }\n",
}
ADDS = {
    "csharp": "class A { static void Main() { var w = System.Console.ReadLine().Split(' '); "
    "System.Console.WriteLine(int.Parse(w[0]) + int.Parse(w[1])); } }\n",
    "java": "class A { public static void main(String[] x) { var in = new java.util.Scanner(System.in); "
    "System.out.println(in.nextInt() + in.nextInt()); } }\n",
    "javascript": "const w = require('fs').readFileSync(0, 'utf8').split(' '); console.log(+w[0] + +w[1]);\n",
    "pypy3": "import helper\nprint(helper.add(*map(int, input().split())))\n",
    "python3": "import helper\nprint(helper.add(*map(int, input().split())))\n",
}


@pytest.mark.parametrize("language", WRITES)
def test_a_program_that_writes(language: str, judge: Judge) -> None:
    assert judge(WRITES[language], language).report.verdict == Verdict.RUN_TIME_ERROR
    allowed = judge(WRITES[language], language, limits=replace(LIMITS, file_writing=True))
    assert allowed.report.verdict == Verdict.ACCEPTED, allowed.cases


@pytest.mark.parametrize("language", [pytest.param(name, marks=needs(name)) for name in ADDS])
def test_what_a_language_writes_by_itself_is_not_missed(language: str, judge: Judge) -> None:
    files = {f"main.{'py' if 'py' in language else 'js'}": ADDS[language].encode()}
    if "py" in language:
        files["helper.py"] = b"def add(a, b):\n    return a + b\n"
    judged = judge(files if language != "java" else ADDS[language], language)
    assert judged.report.verdict == Verdict.ACCEPTED, judged.cases
    assert judged.cases[0].stderr == b""


def test_a_temporary_file_may_be_made(judge: Judge) -> None:
    text = (
        "import tempfile\nwith tempfile.TemporaryFile() as f:\n    print(sum(map(int, input().split())), flush=True)\n"
    )
    assert judge(text).report.verdict == Verdict.ACCEPTED
