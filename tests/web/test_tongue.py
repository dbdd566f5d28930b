"""The language of the pages: chosen by anybody, kept in the browser and in the account."""

import os
from gettext import GNUTranslations
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from judge.people.models import User
from judge.web import tongue
from judge.web.tongue import best, instead
from problems.models import Problem
from tests.web.conftest import PASSWORD, Put

COOKIE = settings.LANGUAGE_COOKIE_NAME


def language(page: str) -> str:
    return page.split('<html lang="')[1].split('"', maxsplit=1)[0]


def test_every_language_is_offered_in_its_own_words(client: Client, db: None) -> None:
    assert language(client.get(reverse("problems")).text) == "en"
    for reader in ("en", "ro"):
        page = client.get(reverse("problems"), headers={"Accept-Language": reader}).text
        for code, name in settings.LANGUAGES:
            current = ' aria-current="true"' if code == reader else ""
            assert f'name="language" value="{code}" lang="{code}"{current}>{name}</button>' in page


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES])
def test_a_choice_holds_for_the_next_pages_and_leads_back(client: Client, db: None, code: str) -> None:
    answer = client.post(reverse("choose-language"), {"language": code, "next": "/?q=graph"})
    assert answer.headers["Location"] == "/?q=graph"
    assert language(client.get(reverse("problems")).text) == code


def test_a_choice_leads_nowhere_else_and_knows_no_other_language(client: Client, db: None) -> None:
    answer = client.post(reverse("choose-language"), {"language": "tlh", "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"
    assert COOKIE not in client.cookies
    assert client.get(reverse("choose-language")).status_code == 405


def test_the_browser_is_asked_where_nobody_has_chosen(client: Client, db: None) -> None:
    page = client.get(reverse("problems"), headers={"Accept-Language": "fr, zh-CN;q=0.9, en;q=0.8"})
    assert language(page.text) == "zh-hans"
    assert "Accept-Language" in page.headers["Vary"]


def test_an_account_brings_its_language_to_another_browser(client: Client, student: User) -> None:
    client.force_login(student)
    client.post(reverse("choose-language"), {"language": "ro"})
    student.refresh_from_db()
    assert student.language == "ro"
    elsewhere = Client()
    elsewhere.post(reverse("sign-in"), {"username": student.username, "password": PASSWORD})
    assert elsewhere.cookies[COOKIE].value == "ro"
    assert language(elsewhere.get(reverse("problems")).text) == "ro"


def test_a_choice_made_before_signing_in_becomes_that_of_the_account(client: Client, student: User) -> None:
    client.post(reverse("choose-language"), {"language": "pt-br"})
    client.post(reverse("sign-in"), {"username": student.username, "password": PASSWORD})
    student.refresh_from_db()
    assert student.language == "pt-br"


def test_the_nearest_text_is_chosen() -> None:
    with override("pt-br"):
        assert best(["en", "pt-BR", "ro"]) == "pt-BR"
        assert best(["en", "pt"]) == "pt"
        assert best(["de", "en"]) == "en"
        assert best(["de", "fr"]) == "de"
        assert best(["en", "pt-BR"], "en") == "en"
        assert best([]) is None
        assert "English" in instead("en")
        assert instead("pt") == ""


def test_a_statement_is_there_in_the_language_of_the_reader_or_says_that_it_is_not(client: Client, put: Put) -> None:
    put({"statement/problem.en.md": "In English.\n", "statement/problem.pt-BR.md": "Em português.\n"})
    address = reverse("problem", args=["twice"])
    client.post(reverse("choose-language"), {"language": "pt-br"})
    page = client.get(address).text
    assert "Em português." in page
    assert 'class="note" lang="pt-br"' not in page
    client.post(reverse("choose-language"), {"language": "ro"})
    page = client.get(address).text
    assert "In English." in page
    assert 'class="note" lang="ro"' in page
    assert 'class="note"' not in client.get(f"{address}?lang=en").text


def test_a_lesson_says_that_it_is_in_another_language(client: Client, twice: Problem) -> None:
    assert twice.live is not None
    client.post(reverse("choose-language"), {"language": "zh-hans"})
    page = client.get(reverse("lesson", args=["twice"])).text
    assert '<p class="note">' in page
    assert '<article class="lesson" lang="en">' in page


def test_texts_are_compiled_where_they_are_newer_than_what_was_made_of_them(tmp_path: Path, settings: Any) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    source = tmp_path / "ro/LC_MESSAGES/django.po"
    made = source.with_suffix(".mo")
    source.parent.mkdir(parents=True)
    for text, minute in (("Bine", 1), ("Foarte bine", 2)):
        source.write_text(
            f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Good"\nmsgstr "{text}"\n'
        )
        os.utime(source, (60 * minute, 60 * minute))
        if made.exists():
            os.utime(made, (60 * minute - 30, 60 * minute - 30))
        call_command("compilemessages")
        with made.open("rb") as file:
            assert GNUTranslations(file).gettext("Good") == text
    assert [path.name for path in source.parent.iterdir()] in (["django.po", "django.mo"], ["django.mo", "django.po"])
    kept = made.stat().st_mtime_ns
    call_command("compilemessages")
    assert made.stat().st_mtime_ns == kept


@pytest.mark.parametrize(
    ("code", "name"), [("zh-CN", "简体中文"), ("pt-BR", "Português (Brasil)"), ("de", "Deutsch"), ("qq", "qq")]
)
def test_a_language_of_a_package_has_its_name(code: str, name: str) -> None:
    """Also one that packages call otherwise than pages do."""
    assert tongue.name_of(code) == name
