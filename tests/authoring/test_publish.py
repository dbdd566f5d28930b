"""Publishing: what becomes of a package folder, and that a package with a fault leaves no trace."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from judge.authoring import queries
from judge.authoring.actions import PublishFailed, make_live, publish
from judge.blobs import store
from judge.grading.build import Making
from judge.people.models import User
from problems.models import Case, Problem, Version
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox
from tests.shelf import FILES, write_package

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    yield box
    box.close()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_package(tmp_path / "twice")


def test_a_package_becomes_a_live_version(package: Path, box: Sandbox, instructor: User) -> None:
    told: list[Making] = []
    version = publish(package, box, made_by=instructor, told=told.append)
    problem = Problem.objects.get()
    assert (problem.slug, problem.live, version.number, version.made_by) == ("twice", version, 1, instructor)
    assert version.titles == {"en": "Twice"}
    assert version.facts["time_seconds"] == 1.0
    assert version.facts["memory_bytes"] == 256 << 20
    assert (version.facts["cases"], version.facts["samples"], version.facts["out_of"]) == (4, 1, 100.0)
    rows = list(version.cases.all())
    assert [row.name for row in rows] == ["sample/1", "secret/1", "secret/2", "secret/3"]
    assert [row.position for row in rows] == [1, 2, 3, 4]
    assert [store.get(row.input) for row in rows] == [b"2\n", b"21\n", b"-7\n", b"300\n"]
    assert [store.get(row.answer) for row in rows] == [b"4\n", b"42\n", b"-14\n", b"600\n"]
    assert rows[3].provenance == {"generator": "count.py", "arguments": ["300"], "seed": None}
    assert [step.case for step in told] in (["secret/3"], [*(row.name for row in rows), "secret/3"])


def test_what_was_published_is_read_back_from_the_store_alone(
    package: Path, box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = publish(package, box)
    shutil.rmtree(package)
    for host in ("one", "another"):
        monkeypatch.setattr(settings, "PALFREY_CACHE", tmp_path / host)
        read = queries.package_of(version)
        assert (read.slug, read.limits.time_seconds) == ("twice", 1.0)
        assert "print its double" in read.statements["en"].read_text()
        cases = queries.ready_cases(version)
        assert [case.input.read_bytes() for case in cases] == [b"2\n", b"21\n", b"-7\n", b"300\n"]
        assert cases[3].provenance is not None
        assert cases[3].provenance.arguments == ("300",)


def test_the_same_content_again_is_the_same_version(package: Path, box: Sandbox, tmp_path: Path) -> None:
    first = publish(package, box)
    elsewhere = write_package(tmp_path / "another place")
    assert publish(elsewhere, box, slug="twice") == first
    assert Version.objects.count() == 1
    assert Case.objects.count() == 4


def test_other_content_is_the_next_version_and_the_old_one_stays(package: Path, box: Sandbox) -> None:
    first = publish(package, box)
    write_package(package, {"generators/count.py": "print(-5)\n"})
    second = publish(package, box)
    assert (second.number, second.problem_id) == (2, first.problem_id)
    assert Problem.objects.get().live == second
    assert store.get(second.cases.get(name="secret/3").answer) == b"-10\n"
    assert store.get(first.cases.get(name="secret/3").answer) == b"600\n"
    write_package(package)
    assert publish(package, box) == first, "what was there before is made live again, not copied"
    assert Problem.objects.get().live == first


FAULTS: dict[str, tuple[dict[str, str | None], str]] = {
    "unknown key": ({"problem.yaml": FILES["problem.yaml"] + "colour: red\n"}, "colour"),
    "no accepted submission": ({"submissions/accepted/twice.py": None}, "accepted"),
    "another solution does not agree": (
        {"submissions/accepted/seven.py": "print(7)\n"},
        "sample/1: submissions/accepted/seven.py",
    ),
    "the solution fails": ({"submissions/accepted/twice.py": "1 / 0\n"}, "twice.py"),
    "the generator fails": ({"generators/count.py": "1 / 0\n"}, "secret/3"),
    "the generator gives something else each time": (
        {"generators/count.py": "import os\n\nprint(int.from_bytes(os.urandom(3), 'big'))\n"},
        "secret/3: the generator `count.py 300` gave something else when it was run again",
    ),
    "the input is not valid": ({"generators/count.py": "print('many')\n"}, "secret/3"),
    "no test case": (
        {"data/sample/1.in": None, "data/sample/1.ans": None, "generators/generators.yaml": "data: {}\n"},
        "case",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_leaves_nothing(tmp_path: Path, box: Sandbox, fault: str) -> None:
    changes, named = FAULTS[fault]
    with pytest.raises(PublishFailed) as failed:
        publish(write_package(tmp_path / "twice", changes), box)
    assert named in failed.value.message
    assert not Problem.objects.exists()
    assert not Version.objects.exists()


def test_a_fault_leaves_the_old_version_in_force(package: Path, box: Sandbox) -> None:
    first = publish(package, box)
    write_package(package, {"generators/count.py": "1 / 0\n"})
    with pytest.raises(PublishFailed):
        publish(package, box)
    assert Problem.objects.get().live == first
    assert Version.objects.count() == 1


def test_another_problem_of_the_same_name_is_refused(package: Path, box: Sandbox) -> None:
    publish(package, box)
    other = FILES["problem.yaml"].replace("5bd0a0a6", "00000000")
    with pytest.raises(PublishFailed, match="another problem called twice"):
        publish(write_package(package, {"problem.yaml": other}), box)


def test_two_who_publish_at_the_same_time_learn_of_each_other(package: Path, box: Sandbox) -> None:
    first = publish(package, box)
    write_package(package, {"generators/count.py": "print(-6)\n"})

    def meanwhile(_: Making) -> None:
        Problem.objects.update(live=None)

    with pytest.raises(PublishFailed, match="just published"):
        publish(package, box, told=meanwhile)
    assert list(Version.objects.all()) == [first]


def test_what_was_chosen_at_the_desk_outlives_a_start_of_the_site(
    package: Path, box: Sandbox, instructor: User
) -> None:
    first = publish(package, box, gently=True)
    write_package(package, {"generators/count.py": "print(-5)\n"})
    second = publish(package, box, gently=True)
    problem = first.problem
    problem.owners.add(instructor)
    problem.refresh_from_db()
    assert problem.live == second, "a new version of the built-in problem"
    make_live(instructor, first, seen=second.pk, even_so=True)
    assert publish(package, box, gently=True) == second
    problem.refresh_from_db()
    assert problem.live == first, "somebody went back to the first"
    write_package(package, {"generators/count.py": "print(-6)\n"})
    third = publish(package, box, gently=True)
    problem.refresh_from_db()
    assert problem.live == third
    Version.objects.filter(pk=third.pk).update(made_by=instructor)
    write_package(package, {"generators/count.py": "print(-7)\n"})
    publish(package, box, gently=True)
    problem.refresh_from_db()
    assert problem.live == third, "made by a person"
    publish(package, box)
    problem.refresh_from_db()
    assert problem.live != third, "by name it is meant"


def test_the_command(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("publish", str(package))
    assert "twice: version 1 is live, 4 cases." in capsys.readouterr().out
    write_package(package, {"problem.yaml": "name: [\n"})
    with pytest.raises(CommandError, match="cannot be published"):
        call_command("publish", str(package))
    with pytest.raises(CommandError, match="no such folder"):
        call_command("publish", str(package / "nowhere"))
