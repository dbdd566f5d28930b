"""The package that the README writes step by step is a good one."""

import re
import subprocess
import sys
from pathlib import Path

from problems.package.read import read

README = Path(__file__).parents[3] / "problems/README.md"


def test_the_problem_of_the_readme(tmp_path: Path) -> None:
    files = re.findall(r"^`(sumup/\S+)`:\n\n```\w+\n(.*?)^```$", README.read_text(), flags=re.MULTILINE | re.DOTALL)
    for name, content in files:
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
    assert package.feedback.small is not None
    assert package.feedback.size is not None
    assert package.feedback.size.generate == ("numbers.py", "{n}", "1")
    for case in package.cases:
        text = case.input_text if case.input is None else case.input.read_bytes()
        if case.provenance is not None:
            program = package.root / "generators" / case.provenance.generator
            text = subprocess.run(
                [sys.executable, program, *case.provenance.arguments], capture_output=True, check=True
            ).stdout
        validator = package.root / package.input_validators[0].name
        assert subprocess.run([sys.executable, validator], input=text, check=False).returncode == 42, case.name
