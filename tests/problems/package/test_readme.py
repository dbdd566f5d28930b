"""The package that the README writes step by step is a good one."""

import re
import subprocess
import sys
from pathlib import Path

from problems.package.model import Way
from problems.package.read import read
from problems.package.replay import frames
from problems.package.trace import parse
from tests.problems.package.small import SCORING, write

README = Path(__file__).parents[3] / "problems/README.md"


def test_the_problem_of_the_readme(tmp_path: Path) -> None:
    blocks = r"^`(sumup/\S+)`:\n\n(`{3,})\w+\n(.*?)^\2$"
    for name, _fence, content in re.findall(blocks, README.read_text(), flags=re.MULTILINE | re.DOTALL):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    reading = read(tmp_path / "sumup")
    assert reading.findings == ()
    package = reading.package
    assert package is not None
    assert [case.name for case in package.cases] == [
        "sample/1", "secret/01-one", "secret/02-few", "secret/03-many",
        "secret/04-more-1", "secret/04-more-2", "secret/04-more-3",
    ]  # fmt: skip
    assert len(package.examples) == 2
    assert [mutant.name for mutant in package.mutants] == ["last-number-missing"]
    assert set(package.feedback.meanings) == {Way.SMALLER}
    assert package.feedback.small is not None
    assert package.feedback.size is not None
    assert package.feedback.size.generate == ("numbers.py", "{n}", "1")
    (figure,) = package.lessons["en"].blocks
    for values in figure.ends():
        (command,) = figure.commands(values)
        tracer = package.root / package.tracers[command.tracer].name
        told = subprocess.run([sys.executable, tracer], input=command.given.encode(), capture_output=True, check=True)
        assert [len(stage.tour) for stage in frames(parse(told.stdout))] == [1, 2, 3]
    (tmp_path / ".judge").mkdir()
    for said, claims in (("6\n", 0), ("7\n", 1), ("no\n", 0)):
        (tmp_path / ".judge/output").write_text(said)
        told = subprocess.run(
            [sys.executable, tracer], input=b"3\n1 2 3\n", capture_output=True, check=True, cwd=tmp_path
        )
        assert sum(stage.claim is not None for stage in frames(parse(told.stdout))) == claims, said
    for case in package.cases:
        text = case.input_text if case.input is None else case.input.read_bytes()
        if case.provenance is not None:
            program = package.root / "generators" / case.provenance.generator
            text = subprocess.run(
                [sys.executable, program, *case.provenance.arguments], capture_output=True, check=True
            ).stdout
        validator = package.root / package.input_validators[0].name
        assert subprocess.run([sys.executable, validator], input=text, check=False).returncode == 42, case.name


def test_three_groups_that_are_worth_the_same(tmp_path: Path) -> None:
    found = re.search(r"three groups that\nare[^`]*`(.*?)`.*?```yaml\n(.*?)```", README.read_text(), flags=re.DOTALL)
    assert found is not None
    each, together = found.groups()
    changes = {"problem.yaml": SCORING, "data/secret/01-two.in": None, "data/secret/01-two.ans": None}
    for name in "abc":
        changes |= {f"data/secret/{name}/1.{end}": text for end, text in (("in", "1\n"), ("ans", "2\n"))}
        changes[f"data/secret/{name}/test_group.yaml"] = each + "\n"
    refused = read(write(tmp_path / "refused", changes))
    assert [finding.rule for finding in refused.findings] == ["score-sum"], "of 100 for all"
    reading = read(write(tmp_path / "taken", changes | {"data/secret/test_group.yaml": together}))
    assert reading.findings == ()
