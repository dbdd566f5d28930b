"""Nothing that people can set, run or be told is missing from the documents, and nothing in them is gone."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from judge.grading.languages import LANGUAGES, guess
from judge.grading.verdict import Verdict
from tests.operations.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOOR = (ROOT / "palfrey").read_text(encoding="utf-8")
SETTINGS = (ROOT / "judge/config/settings.py").read_text(encoding="utf-8")
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("sandbox/*.md"), *ROOT.glob("problems/*.md"), *ROOT.glob("docs/*.md")]
)


def section(title: str) -> str:
    """The part of the README under a heading."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(title: str) -> set[str]:
    """What stands as code in the first column of a section's table."""
    rows = re.findall(r"^\| (`.+?) \|", section(title), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def own_commands() -> set[str]:
    return {name for name, app in get_commands().items() if app.startswith(("judge", "problems"))}


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    settings = set(re.findall(r'env(?:iron)?\.\w+\(\s*"([A-Z_]+)"', SETTINGS))
    assert first_cells("Settings") == settings | {"PALFREY_PYTHON"}
    assert "PALFREY_PYTHON" in DOOR


def test_the_environment_is_read_in_one_place() -> None:
    for file in [*ROOT.glob("judge/**/*.py"), *ROOT.glob("problems/*.py"), *ROOT.glob("sandbox/*.py")]:
        if file.name != "settings.py":
            assert not re.search(r"(environ|getenv).{1,8}(PALFREY|_URL)", file.read_text(encoding="utf-8")) or (
                file.parent.name == "operations"  # hands the key on to the processes it starts
                or file.name == "client.py"  # no part of the site: it runs on somebody's own machine
            ), file


def test_every_command_is_documented_and_every_documented_one_exists() -> None:
    documented = {name.removeprefix("./palfrey ") for name in first_cells("Commands")}
    assert own_commands() <= documented
    assert documented - own_commands() == {"test", "lock", "submit", "createsuperuser"}


def test_every_command_says_what_it_is_for() -> None:
    for name in own_commands():
        assert load_command_class(get_commands()[name], name).help


def test_help_of_the_front_door_names_commands_that_exist() -> None:
    told = set(re.findall(r"^\./palfrey ([a-z]+) ", DOOR, re.MULTILINE))
    assert told
    assert told <= own_commands() | {"test", "lock", "submit"}


def test_every_verdict_is_documented_and_every_documented_one_exists() -> None:
    assert first_cells("What a verdict means") == {verdict.value for verdict in Verdict}


def test_every_language_is_documented_and_every_documented_one_exists() -> None:
    assert first_cells("Languages") == set(LANGUAGES)


def test_endings_stand_for_the_languages_that_the_readme_says() -> None:
    for row in re.findall(r"^\| (`.+)$", section("Languages"), re.MULTILINE):
        ids, _, said, _ = (cell.strip(" |") for cell in row.split(" | "))
        expected = {name for name in re.findall(r"`(\w+)`", ids) if f"`{name}`" in said} or set(
            re.findall(r"`(\w+)`", ids)
        )
        for ending in re.findall(r"`(\.\w+)`", said):
            language = guess(f"program{ending}")
            assert language is not None
            assert {language.id} == expected


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target
