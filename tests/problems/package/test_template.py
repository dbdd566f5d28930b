"""A new problem is complete from the first moment, under the name and title that were asked for."""

from pathlib import Path

import pytest

from problems.package.read import read
from problems.package.template import lay_out

TITLES = ["My Numbers", 'So "said": # 1', "yes", "2025", "Cel mai mare număr", r"back\1slash", "{braces", "x" * 200]


@pytest.mark.parametrize("title", TITLES)
def test_it_has_the_title_and_nothing_to_complain_of(tmp_path: Path, title: str) -> None:
    reading = read(lay_out(tmp_path / "new", "mine", title))
    assert reading.findings == ()
    assert reading.package is not None
    assert (reading.package.slug, reading.package.names) == ("mine", {"en": title})


def test_without_a_title_the_name_is_one(tmp_path: Path) -> None:
    package = read(lay_out(tmp_path, "mine")).package
    assert package is not None
    assert package.names == {"en": "Mine"}


def test_each_has_a_uuid_of_its_own(tmp_path: Path) -> None:
    packages = [read(lay_out(tmp_path, slug)).package for slug in ("one", "two")]
    assert len({package.uuid for package in packages if package is not None}) == 2


@pytest.mark.parametrize("slug", ["", "My", "a b", "../up", "a" * 65, "a-b"])
def test_a_bad_name_is_told_and_leaves_nothing(tmp_path: Path, slug: str) -> None:
    with pytest.raises(ValueError, match="cannot be called"):
        lay_out(tmp_path, slug)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("title", ["two\nlines", "x" * 201, "bell\a"])
def test_a_bad_title_is_told_and_leaves_nothing(tmp_path: Path, title: str) -> None:
    with pytest.raises(ValueError, match="title"):
        lay_out(tmp_path, "mine", title)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    lay_out(tmp_path, "mine", "First")
    with pytest.raises(FileExistsError):
        lay_out(tmp_path, "mine", "Second")
    package = read(tmp_path / "mine").package
    assert package is not None
    assert package.names == {"en": "First"}
