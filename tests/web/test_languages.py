"""The page of the languages says what workers really do: their versions, and the commands of the table."""

import html

from django.test import Client
from django.utils import timezone

from judge.grading.languages import LANGUAGES
from judge.submissions.models import Worker
from problems.models import Problem
from tests.web.conftest import live_version


def worker(name: str, **toolchains: str) -> None:
    now = timezone.now()
    Worker.objects.create(name=name, languages=list(toolchains), toolchains=toolchains, started=now, seen=now)


def text(client: Client, query: str = "") -> str:
    answer = client.get(f"/languages/{query}")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_before_the_first_worker_every_language_is_there(client: Client, db: None) -> None:
    page = text(client)
    for language in LANGUAGES.values():
        assert f'id="{language.id}"' in page
    assert "Version unknown" in page


def test_what_the_workers_offer_with_each_version_once(client: Client, db: None) -> None:
    worker("one", cpp17="g++ 12.2.0", go="go 1.19")
    worker("two", cpp17="g++ 12.2.0", go="go 1.22")
    page = text(client)
    assert 'id="rust"' not in page
    assert page.count("g++ 12.2.0") == 1
    assert "go 1.19" in page
    assert "go 1.22" in page


def test_commands_to_the_letter(client: Client, db: None) -> None:
    page = text(client)
    assert "/usr/bin/g++ -std=gnu++17 -O2 -static -DONLINE_JUDGE" in page
    assert "/usr/bin/python3 -s -B /box/main.py" in page
    assert "compile(source" not in page
    assert "<code>.cpp</code>, <code>.cc</code>, <code>.cxx</code>" in page
    assert "ONLINE_JUDGE=1" in page


def test_sizes_and_choice_of_a_problem(client: Client, twice: Problem) -> None:
    assert "-Xmx192m" not in text(client)
    assert "-Xmx192m" in text(client, "?problem=twice")
    assert "GOMEMLIMIT=192MiB" in text(client, "?problem=twice")
    version = live_version(twice)
    version.facts["languages"] = ["rust", "python3"]
    version.save()
    page = text(client, "?problem=twice")
    assert [name for name in LANGUAGES if f'id="{name}"' in page] == ["python3", "pypy3", "rust"]


def test_a_problem_leads_there(as_student: Client, twice: Problem) -> None:
    assert b'href="/languages/?problem=twice"' in as_student.get("/problems/twice/").content


def test_a_problem_that_is_not_there(client: Client, db: None) -> None:
    assert client.get("/languages/?problem=nothing").status_code == 404
