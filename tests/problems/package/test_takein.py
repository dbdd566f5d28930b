"""Folders taken in as they lie in a repository: with links to what they share."""

from pathlib import Path

import pytest

from problems.package.takein import Fate, take_in
from tests.problems.package.older import LEGACY
from tests.problems.package.small import FILES


@pytest.fixture(params=[FILES, LEGACY], ids=["2025-09", "legacy"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A package whose validator stands beside it, as contests share theirs."""
    root = tmp_path / "doubles"
    for name, content in request.param.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    validator = next(path for path in root.glob("input*_validators/**/*") if path.is_file())
    validator.rename(tmp_path / validator.name)
    validator.symlink_to(tmp_path / validator.name)
    return root


def test_links_out_of_a_folder_are_refused_unless_they_are_asked_for(shared: Path, tmp_path: Path) -> None:
    refused = take_in(shared, tmp_path / "refused", slug="doubles")
    assert refused.package is None
    assert [finding.rule for finding in refused.findings if finding.severity == "error"] == ["link-outside"]

    taken = take_in(shared, tmp_path / "taken", slug="doubles", follow_links=True)
    assert taken.package is not None
    assert not any(path.is_symlink() for path in taken.package.root.rglob("*"))


def test_a_link_to_a_statement_that_was_not_printed_is_passed_over(shared: Path, tmp_path: Path) -> None:
    (shared / "problem.pdf").symlink_to("../../doc/problem.pdf")
    taken = take_in(shared, tmp_path / "taken", slug="doubles", follow_links=True)
    assert taken.package is not None
    assert [finding.where for finding in taken.findings if "leads nowhere" in finding.message] == ["problem.pdf"]

    (shared / "data/secret/09.in").symlink_to("nowhere.in")
    refused = take_in(shared, tmp_path / "refused", slug="doubles", follow_links=True)
    assert refused.package is None
    assert [one.name for one in refused.files if one.fate is Fate.REFUSED] == ["data/secret/09.in"]
