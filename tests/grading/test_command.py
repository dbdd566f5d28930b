"""`./palfrey grade`: one object or a table, three exit codes, and neither database nor broker."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from judge.management.commands import verify
from judge.management.commands.grade import Command
from tests.grading.folder import write_package

RIGHT = "print(sum(map(int, input().split())))\n"
Run = tuple[int, str, str]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_package(tmp_path)


@pytest.fixture
def right(tmp_path: Path) -> Path:
    return _file(tmp_path, "right.py", RIGHT)


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def _run(capsys: pytest.CaptureFixture[str], *args: str | Path) -> Run:
    code = 0
    try:
        Command().run_from_argv(["palfrey", "grade", *map(str, args)])
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def _json(run: Run) -> dict[str, Any]:
    answer = json.loads(run[1])
    assert isinstance(answer, dict)
    return answer


def test_accepted(package: Path, right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(capsys, package, right, "--json")
    answer = _json(run)
    assert run[0] == 0
    assert answer["verdict"] == "accepted"
    assert answer["language"] == "python3"
    assert (answer["points"], answer["out_of"], answer["compile_log"]) == (100, 100, "")
    assert [case["name"] for case in answer["cases"]] == ["sample/1", "secret/first", "secret/second", "secret/third"]
    case = answer["cases"][1]
    assert (case["group"], case["verdict"]) == ("secret", "accepted")
    assert 0 < case["cpu_seconds"] < 1
    assert 100_000 < case["memory_bytes"] < 256 << 20
    assert case["note"]


def test_wrong(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(capsys, "--json", package, _file(tmp_path, "a.py", "print(3)\n"))
    assert run[0] == 1
    assert _json(run)["verdict"] == "wrong_answer"


def test_the_second_time_nothing_is_compiled(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f'#include <stdio.h>\n// {tmp_path}\nint main() {{ int a, b; scanf("%d%d", &a, &b); printf("%d", a+b); }}\n'
    program = _file(tmp_path, "once.c", text)
    first, second = (_json(_run(capsys, package, program, "--json")) for _ in range(2))
    assert (first["compiled_before"], second["compiled_before"]) == (False, True)
    assert first["verdict"] == second["verdict"]
    assert "compiled before" in _run(capsys, package, program)[1]


def test_compile_error(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(capsys, "--json", package, _file(tmp_path, "a.c", "int main(void) { return x; }\n"))
    assert run[0] == 1
    answer = _json(run)
    assert (answer["verdict"], answer["language"], answer["cases"]) == ("compile_error", "c17", [])
    assert "main.c:1:" in answer["compile_log"]
    assert "‘x’ undeclared" in answer["compile_log"]


def test_a_folder_and_several_files(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    main = _file(folder, "main.py", "from adding import plus\n\nprint(plus(input()))\n")
    other = _file(folder, "adding.py", "def plus(line):\n    return sum(map(int, line.split()))\n")
    assert _run(capsys, "--json", package, folder)[0] == 0
    assert _run(capsys, "--json", package, main, other)[0] == 0


def test_a_catalog_problem_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run(capsys, "--json", "knightmoves", _file(tmp_path, "a.cpp", "int bfs() { return 1; }\n"))
    assert run[0] == 1
    assert "main" in _json(run)["note"]


def test_a_table_for_people(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, package, _file(tmp_path, "a.py", "print(3)\n"))
    assert code == 1
    assert "Plus (plus), 4 cases, Python 3" in out
    assert "secret/first" in out
    assert "wrong answer, 0 of 100 points" in out
    assert "Case 2 of 4 printed a wrong answer." in out


BAD = {
    "no such problem": (("nosuchproblem", "{right}"), "There is no problem “nosuchproblem”"),
    "no such file": (("{package}", "{right}.c"), "There is no file"),
    "no such language": (("{package}", "{right}", "--language", "cobol"), "There is no language “cobol”"),
    "no file": (("{package}",), "Bad use"),
    "no such option": (("{package}", "{right}", "--fast"), "Bad use"),
    "unknown ending": (("{package}", "{package}/problem.yaml"), "does not say its language"),
    "empty folder": (("{package}", "{empty}"), "no file to judge"),
    "not a package": (("{empty}", "{right}"), "has errors"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_use(name: str, package: Path, right: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    words, said = BAD[name]
    args = [word.format(package=package, right=right, empty=tmp_path / "empty") for word in words]
    run = _run(capsys, *args, "--json")
    assert run[0] == 2
    answer = _json(run)
    assert said in answer["note"]
    assert (answer["verdict"], answer["cases"]) == ("judge_error", [])
    code, out, err = _run(capsys, *args)
    assert (code, out) == (2, "")
    assert said in err or said == "Bad use"


def test_a_fault_of_the_package_is_trouble(tmp_path: Path, right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = write_package(tmp_path, {"input_validators/two.py": "print(1 // 0)\n"})
    run = _run(capsys, "--json", package, right)
    assert run[0] == 2
    assert "sample/1: input_validators/two.py ended with exit code 1" in _json(run)["note"]


def test_needs_no_database_and_no_broker(package: Path, right: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "judge.config.settings",
        "PALFREY_LOCAL": "1",
        "PALFREY_VAR": str(tmp_path / "var"),
        "DATABASE_URL": "postgres://nobody:nothing@127.0.0.1:1/nowhere",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    done = subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", "grade", package, right, "--json"],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] == "accepted"
    assert done.stderr == b""


def test_verify_tells_which_example_is_not_as_its_folder_says(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify.Command().run_from_argv(["palfrey", "verify", str(package)])
    assert "0 not as they must be" in capsys.readouterr().out
    wrong = package / "submissions" / "wrong_answer" / "right.py"
    wrong.parent.mkdir(exist_ok=True)
    wrong.write_text(RIGHT)
    with pytest.raises(SystemExit, match="1"):
        verify.Command().run_from_argv(["palfrey", "verify", str(package)])
    said = capsys.readouterr().out
    assert "WRONG  wrong_answer/right.py" in said
    assert "no case gets WA, and one must" in said
