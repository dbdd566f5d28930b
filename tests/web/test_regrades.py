"""The pages of regrades and the staff's table, read as a person would: what is chosen, told, and applied."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judge.people.models import User
from judge.regrades import queries
from judge.regrades.models import Regrade, RegradeItem, Stage
from judge.submissions.models import CaseResult, Effective, Judgement, Submission
from problems.models import Problem, Version
from tests.web.conftest import done

pytestmark = pytest.mark.django_db(transaction=True)

Send = Callable[..., Submission]


@pytest.fixture
def staff(client: Client, admin: User) -> Client:
    client.force_login(admin)
    return client


@pytest.fixture
def sent(send: Send, student: User, classmate: User) -> list[Submission]:
    right: list[tuple[str, dict[str, str]]] = [("accepted", {})] * 3
    return [
        send(student, results=right, **done("accepted")),
        send(student, results=[("accepted", {}), ("wrong_answer", {})], **done("wrong_answer")),
        send(classmate, results=right, language="cpp17", files={"main.cpp": b"int main() {}"}, **done("accepted")),
    ]


@pytest.fixture
def compared(sent: list[Submission], twice: Problem) -> Regrade:
    """A regrade that is ready: the first falls, the second rises, the third stays."""
    old = twice.live
    assert old is not None
    new = Version.objects.create(
        problem=twice, number=2, digest="2" * 64, archive=old.archive, titles=old.titles, facts=old.facts
    )
    regrade = Regrade.objects.create(
        stage=Stage.READY,
        reason="The answer of case 2 was <wrong>.",
        key="k",
        facts={"plan": {"plans": {}, "seconds": 0}},
    )
    regrade.targets.create(problem=twice, version=new)
    verdicts = ("wrong_answer", "accepted", "accepted")
    for position, (one, verdict) in enumerate(zip(sent, verdicts, strict=True)):
        base = one.effective.judgement
        after = Judgement.objects.create(submission=one, version=new, purpose="regrade", **done(verdict))
        changed = base.verdict != verdict
        cause = {"kind": "answer", "case": "secret/2", "position": 3, "before": base.verdict, "after": verdict}
        RegradeItem.objects.create(
            regrade=regrade,
            submission=one,
            number=one.pk,
            base=base,
            new=after,
            position=position,
            outcome="changed" if changed else "same",
            gain=(-1, 1, 0)[position],
            cause=cause | {"output": "ab" * 32} if changed else {},
        )
    return regrade


def test_the_table_filters(staff: Client, sent: list[Submission]) -> None:
    def shown(**query: str) -> set[int]:
        page = staff.get("/submissions/", query)
        assert page.status_code == 200
        return {one.pk for one in page.context["page"]}

    every = {one.pk for one in sent}
    assert shown() == every
    assert shown(problem="twice", version="1") == every
    assert shown(version="older") == set()
    assert shown(verdict="wrong_answer") == {sent[1].pk}
    assert shown(language="cpp17") == {sent[2].pk}
    assert shown(person="kim") == {sent[2].pk}
    assert shown(case="sample/2") == {sent[1].pk}
    assert shown(since="2000-01-01", until="2000-01-02") == set()
    assert shown(numbers=f"{sent[0].pk}, {sent[2].pk},") == {sent[0].pk, sent[2].pk}


def test_what_is_no_filter_takes_nothing(staff: Client, sent: list[Submission]) -> None:
    odd_ones: list[dict[str, str]] = [
        *({"since": "2026-99-99"}, {"version": "x"}, {"numbers": "9" * 30}, {"until": "9999-12-31"}, {"verdict": "no"}),
        *({"assignment": "abc"}, {"language": "cobol"}, {"numbers": "1,x"}),
    ]
    for odd in odd_ones:
        asked = {"person": "sam", **odd}
        page = staff.get("/submissions/", asked)
        assert list(page.context["page"]) == [], odd
        assert "which is no filter" in page.content.decode(), odd
        assert "Judge again" not in page.content.decode(), odd
        form = asked | {"which": "all", "reason": "A case was wrong.", "key": "form-1"}
        for answer in (staff.get("/submissions/download", asked), staff.post("/submissions/regrade", form)):
            assert answer["Location"].startswith("/submissions/?"), odd
            assert "which is no filter" in staff.get(answer["Location"]).content.decode(), odd
    assert not Regrade.objects.exists()


def test_programs_are_taken_along(staff: Client, sent: list[Submission]) -> None:
    archive = zipfile.ZipFile(io.BytesIO(staff.get("/submissions/download", {"verdict": "accepted"}).content))
    assert sorted(archive.namelist()) == [
        f"twice/kim/{sent[2].pk}-accepted/main.cpp",
        f"twice/sam/{sent[0].pk}-accepted/main.py",
    ]
    one = staff.get(f"/submissions/download?which=ticked&pick={sent[1].pk}").content
    assert len(zipfile.ZipFile(io.BytesIO(one)).namelist()) == 1


def test_from_the_table_to_a_plan(staff: Client, sent: list[Submission]) -> None:
    form: dict[str, Any] = {
        "which": "ticked",
        "pick": [sent[0].pk, sent[1].pk],
        "reason": "A case was wrong.",
        "key": "form-1",
    }
    for _ in range(2):
        answer = staff.post("/submissions/regrade", form)
    regrade = Regrade.objects.get()
    assert answer["Location"] == reverse("regrade", args=[regrade.pk])
    assert set(regrade.items.values_list("number", flat=True)) == {sent[0].pk, sent[1].pk}
    page = staff.get(answer["Location"]).content.decode()
    assert "2 submissions to judge again" in page
    assert "Taken as they are" in page
    staff.post(reverse("regrade-act", args=[regrade.pk]), {"do": "start"})
    regrade.refresh_from_db()
    assert regrade.stage == Stage.RUNNING
    assert "You can leave this page" in staff.get(answer["Location"]).content.decode()
    staff.post(reverse("regrade-act", args=[regrade.pk]), {"do": "pause"})
    assert "Paused: nothing new is begun." in staff.get(answer["Location"]).content.decode()


def test_what_is_refused_is_told(staff: Client, sent: list[Submission]) -> None:
    for form, word in (
        ({"which": "ticked", "reason": "x", "key": "a"}, "Nothing is ticked"),
        ({"which": "all", "reason": " ", "key": "a"}, "Give a reason"),
        ({"which": "all", "reason": "x", "key": ""}, "This form cannot be used"),
        ({"which": "all", "reason": "x", "key": "a", "person": "nobody"}, "no judged submission"),
        ({"which": "all", "reason": "x", "key": "a", "problem": "twice", "against": "77"}, "no such version"),
        ({"which": "all", "reason": "x", "key": "a", "problem": "twice", "against": "x"}, "no such version"),
    ):
        page = staff.post("/submissions/regrade", form, follow=True)
        assert word in page.content.decode(), form
    assert not Regrade.objects.exists()


def test_compared(staff: Client, compared: Regrade) -> None:
    page = staff.get(reverse("regrade", args=[compared.pk])).content.decode()
    assert "2 of 3 submissions change" in page
    assert "The answer of case 2 was &lt;wrong&gt;." in page
    assert "1 now fails case secret/2." in page
    assert "1 is right on case secret/2 now." in page
    assert "Everyone (3)" in page
    assert "No one loses (2)" in page
    assert "style=" not in page
    only = staff.get(reverse("regrade", args=[compared.pk]), {"before": "accepted", "after": "wrong_answer"})
    assert [row[0].number for row in only.context["rows"]] == [RegradeItem.objects.order_by("pk")[0].number]


def test_applied_and_taken_back(staff: Client, compared: Regrade, student: User, sent: list[Submission]) -> None:
    address = reverse("regrade", args=[compared.pk])
    reading = Client()
    reading.force_login(student)
    mine = f"/submissions/{sent[0].pk}/"
    assert b"Regraded" not in reading.get(mine).content
    page = staff.post(f"{address}act", {"do": "apply", "policy": "all"}, follow=True).content.decode()
    assert "Applied to 3 submissions. 2 have another result now." in page
    assert "2 of 3 submissions have changed" in page
    told = reading.get(mine).content.decode()
    assert "because: The answer of case 2 was &lt;wrong&gt;." in told
    assert "This one counts." in told
    assert "in the queue" not in told, "when it was begun says nothing of what was sent long ago"
    assert "/regrades/" not in told
    page = staff.post(f"{address}act", {"do": "revert"}, follow=True).content.decode()
    assert "Taken back: 3 submissions" in page
    assert "2 of 3 submissions had changed" in page
    assert "A regrade was taken back (" in reading.get(mine).content.decode()
    assert Effective.objects.get(submission=sent[0]).judgement.verdict == "accepted"


def test_points_that_move_while_the_verdict_stays_are_told(
    staff: Client, compared: Regrade, student: User, sent: list[Submission], django_assert_max_num_queries: Any
) -> None:
    Version.objects.update(facts={**Version.objects.all()[0].facts, "scoring": True})
    item = RegradeItem.objects.get(number=sent[1].pk)
    for judgement, points in ((item.base, 200), (item.new, 100)):
        assert judgement is not None
        Judgement.objects.filter(pk=judgement.pk).update(verdict="wrong_answer", points=points, out_of=300)
    Regrade.objects.update(facts={})
    out = io.StringIO()
    call_command("regrade", "diff", compared.pk, stdout=out)
    assert "wrong_answer (200 of 300) -> wrong_answer (100 of 300) changed" in out.getvalue()
    staff.post(reverse("regrade-act", args=[compared.pk]), {"do": "apply", "policy": "all"})
    staff.force_login(student)
    for page in ("/work/", f"/submissions/{sent[1].pk}/"):
        with django_assert_max_num_queries(45):
            told = staff.get(page).content.decode()
        told = " ".join(re.sub("<[^>]*>", " ", told).split())
        assert "Wrong answer 200 of 300 points became Wrong answer 100 of 300 points" in told, page


def test_only_what_is_ticked(staff: Client, compared: Regrade) -> None:
    first, second = RegradeItem.objects.filter(outcome="changed").order_by("pk")
    form: dict[str, Any] = {"do": "apply", "policy": "selected", "shown": [first.pk, second.pk], "pick": [second.pk]}
    staff.post(reverse("regrade-act", args=[compared.pk]), form)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.moved, second.moved is not None) == (None, True)
    page = staff.get(reverse("regrade", args=[compared.pk])).content.decode()
    assert "1 of 3 submissions has changed" in page
    assert page.count("not applied") == 1


def test_every_conflict_is_listed_and_leads_to_what_counts(
    staff: Client, compared: Regrade, sent: list[Submission], instructor: User
) -> None:
    other = Regrade.objects.create(stage=Stage.APPLIED, reason="Another.", key="other", facts={})
    other.targets.create(problem=sent[0].problem, version=compared.targets.get().version)
    for one in (sent[0], sent[2]):
        base = one.effective.judgement
        new = Judgement.objects.create(submission=one, version=base.version, purpose="regrade", **done("accepted"))
        other.items.create(submission=one, number=one.pk, base=base, new=new, position=0, outcome="same")
        Effective.objects.filter(submission=one).update(judgement=new)
    address = reverse("regrade", args=[compared.pk])
    page = staff.post(f"{address}act", {"do": "apply", "policy": "all"}, follow=True).content.decode()
    assert "2 conflicts" in page
    assert "?outcome=conflict#items" in page
    listed = staff.get(address, {"outcome": "conflict"})
    assert {row[0].number for row in listed.context["rows"]} == {sent[0].pk, sent[2].pk}
    assert listed.content.decode().count(reverse("regrade", args=[other.pk])) == 2
    assert queries.instead(instructor, RegradeItem.objects.filter(regrade=compared)) == {}, "not theirs to open"


def test_as_a_table(staff: Client, compared: Regrade, student: User) -> None:
    student.username = "＝cmd()"
    student.save()
    text = staff.get(reverse("regrade-table", args=[compared.pk, "csv"])).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 3
    assert rows[0]["student"] == "'＝cmd()", "no formula for a spreadsheet, which takes wide signs as well"
    told = json.loads(staff.get(reverse("regrade-table", args=[compared.pk, "json"])).content)
    assert {(one["verdict_before"], one["verdict_after"]) for one in told["items"]} == {
        ("accepted", "wrong_answer"),
        ("wrong_answer", "accepted"),
        ("accepted", "accepted"),
    }


def test_a_constant_number_of_queries(
    staff: Client, compared: Regrade, send: Send, student: User, django_assert_max_num_queries: Any
) -> None:
    address = reverse("regrade", args=[compared.pk])
    base = RegradeItem.objects.order_by("pk")[0]
    assert base.new is not None
    for number in range(20):
        one = send(student, **done("accepted"))
        after = Judgement.objects.create(
            submission=one,
            version=base.new.version,
            purpose="regrade",
            **done("wrong_answer"),
        )
        RegradeItem.objects.create(
            regrade=compared,
            submission=one,
            number=one.pk,
            base=one.effective.judgement,
            new=after,
            position=10 + number,
            outcome="changed",
            cause=base.cause,
            gain=-1,
        )
    for page in (address, "/submissions/", "/regrades/"):
        with django_assert_max_num_queries(45):
            staff.get(page)
    assert CaseResult.objects.exists()
