"""The walk-through of problems/README.md, command by command: from nothing to a live problem."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from problems.models import Problem
from problems.package.template import lay_out
from tests.operations.conftest import ROOT

GUIDE = (ROOT / "problems/README.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line)[1:]
    for block in re.findall(r"^```\n(\./palfrey .*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)[:1]
    for line in block.splitlines()
]


@pytest.mark.django_db
def test_the_commands_of_the_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [command[0] for command in COMMANDS] == ["new-problem", "verify", "grade", "publish"]
    for command in COMMANDS:
        call_command(*command)
    assert "3 examples over 6 cases and 2 probes, 0 not as they must be." in capsys.readouterr().out
    problem = Problem.objects.get()
    assert (problem.slug, problem.live is not None) == ("mynumbers", True)


@pytest.mark.parametrize(("name", "told"), [("My", "cannot be called"), ("there", "is there already")])
def test_what_cannot_be_is_told_in_a_sentence(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(CommandError, match=told):
        call_command("new-problem", str(tmp_path / name))


@pytest.mark.django_db
def test_what_verify_finds_wrong_is_not_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = lay_out(tmp_path, "mine")
    right = (root / "submissions/accepted/largest.py").read_text(encoding="utf-8")
    (root / "submissions/wrong_answer/starts_at_zero.py").write_text(right, encoding="utf-8")
    with pytest.raises(SystemExit, match="1"):
        call_command("publish", str(root), "--verify")
    assert "no case gets WA, and one must" in capsys.readouterr().out
    assert not Problem.objects.exists()
    call_command("publish", str(root))
    assert Problem.objects.get().live is not None
