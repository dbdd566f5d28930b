"""A submission's page at every stage, and that what a student wrote or a program printed is text everywhere."""

import html
import re
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from judge.grading.ended import ended
from judge.grading.languages import LANGUAGES
from judge.people.models import User
from judge.submissions.lexers import LEXERS
from judge.submissions.models import CaseResult, Submission, Trial, Worker
from judge.web.difference import difference
from judge.web.highlight import as_text, source_lines
from judge.web.student.story import Row, Tile, log_lines, rows_of, story, told_case
from judge.web.student.worth import worth_of_package
from problems.models import Problem
from problems.package.read import read
from problems.say import say
from sandbox.contract import Ending, Outcome
from tests.problems.package.small import problem, write
from tests.web.conftest import done, live_version

Send = Callable[..., Submission]
HOSTILE = "<script>alert(1)</script> vector<int> \"quoted' & </pre>"


def page_of(client: Client, sent: Submission) -> str:
    return client.get(f"/submissions/{sent.pk}/").content.decode()


def test_in_the_queue(as_student: Client, student: User, send: Send) -> None:
    first, second, third = send(student), send(student), send(student)
    assert "No worker is at work just now." in page_of(as_student, first)
    now = timezone.now()
    Worker.objects.create(name="one", languages=["python3"], slots=2, started=now, seen=now)
    cache.clear()
    assert "You are next." in page_of(as_student, first)
    page = page_of(as_student, third)
    assert "You are third in the queue." in page
    assert page.count('class="tile waiting') == 3, "the tiles are there before anything runs"
    assert '<noscript><meta http-equiv="refresh" content="3; url=/submissions/' in page
    assert 'data-final="no"' in page
    assert "You are second" in page_of(as_student, second)


def test_the_time_to_wait_is_told_from_the_last_hour(as_student: Client, student: User, send: Send) -> None:
    now = timezone.now()
    Worker.objects.create(name="one", languages=["python3"], slots=2, started=now, seen=now)
    assert "It should begin" not in page_of(as_student, send(student)), "nobody knows yet"
    for _ in range(3):
        send(student, state="done", started=now - timedelta(seconds=20), finished=now)
    waiting = [send(student) for _ in range(5)]
    cache.clear()
    assert "It should begin in about 1 minute." in page_of(as_student, waiting[-1]), (
        "5 before it of 20 s each, 2 at once"
    )


def test_while_it_runs(as_student: Client, student: User, send: Send) -> None:
    started = {"state": "running", "started": timezone.now() + timedelta(seconds=2)}
    assert "Your program is being compiled." in page_of(as_student, send(student, language="cpp17", **started))
    assert "The syntax of your program is being checked." in page_of(as_student, send(student, **started))
    page = page_of(as_student, send(student, results=[("accepted", {})], **started, compiled=True))
    assert "Case 2 of 3 is running. 1 is right so far." in page
    assert [page.count(f'class="tile {status}') for status in ("accepted", "running", "waiting")] == [1, 1, 1]
    assert re.search(r"Started after [12]\.\d s in the queue", page)


def test_accepted(as_student: Client, student: User, send: Send) -> None:
    sent = send(student, results=[("accepted", {})] * 3, **done("accepted", note="All 3 cases are right."))
    page = page_of(as_student, sent)
    assert "<title>Accepted · Twice · Palfrey</title>" in page
    assert "All 3 cases are right.</h1>" in page
    assert [f"tile accepted {layer}" in page for layer in ("l0", "l3", "l6")] == [True] * 3
    assert "0.020 s" in page
    assert "Syntax checked</li>" in page, "Python is not compiled"
    assert 'data-final="yes"' in page
    assert "http-equiv" not in page


def test_the_first_failure_is_the_one_that_decides(student: User, send: Send) -> None:
    told = story(
        student, send(student, results=[("accepted", {}), ("wrong_answer", {}), ("", {})], **done("wrong_answer"))
    )
    assert told is not None
    assert [(tile.status, tile.decides) for tile in told.tiles] == [
        ("accepted", False),
        ("wrong_answer", True),
        ("not_run", False),
    ]


def test_cases_that_were_not_run_share_a_row(as_student: Client, student: User, send: Send) -> None:
    note = "Case %d of 3 was not run, because an earlier case of its group took too long."
    results = [("time_limit_exceeded", {}), *(("", {"note": note % number}) for number in (2, 3))]
    sent = send(student, results=results, **done("time_limit_exceeded"))
    told = story(student, sent)
    assert told is not None
    assert [[tile.number for tile in row.tiles] for row in told.rows] == [[1], [2, 3]]
    page = page_of(as_student, sent)
    assert page.count("because an earlier case") == 1
    assert "2 cases" in page
    assert "all up to case 3." in page
    assert all(page.count(f'id="case-{number}"') == 1 for number in (1, 2, 3))


def test_cases_that_were_not_run_for_several_reasons_do_not() -> None:
    reasons = ["was not run: b counts only when all of a is right.", "was not run, because an earlier case"]
    notes = [f"Case {number} of 4 {reasons[number > 2]}" for number in range(1, 5)]
    tiles = [
        Tile(number=number, status="not_run", layer="", facts={"note": note}) for number, note in enumerate(notes, 1)
    ]
    assert [len(row.tiles) for row in rows_of(tiles)] == [2, 2]
    assert [len(row.tiles) for row in rows_of([replace(tile, status="accepted") for tile in tiles])] == [1, 1, 1, 1]


def test_a_fault_of_ours_is_told_as_ours(as_student: Client, student: User, send: Send) -> None:
    page = page_of(as_student, send(student, **done("judge_error", judge_note="validator crashed")))
    assert "not your fault" in page
    assert "validator crashed" not in page


def test_a_compile_error_leads_to_its_lines(as_student: Client, student: User, send: Send) -> None:
    log = f"main.cpp:2:5: error: {HOSTILE}\n    2 | x\nmain.cpp:1:1: note: here\n".encode()
    files = {"main.cpp": b"int main() {\nx\n}\n"}
    page = page_of(as_student, send(student, files=files, language="cpp17", **done("compile_error", compile_log=log)))
    assert '<a href="#s0-L2">line 2</a>' in page
    assert 'id="s0-L2"' in page
    assert "vector&lt;int&gt;" in page
    assert "<script>alert" not in page


def test_everything_foreign_is_text(as_student: Client, client: Client, student: User, send: Send) -> None:
    notes = {"note": HOSTILE, "team_note": HOSTILE, "judge_note": HOSTILE}
    files = {
        f"{HOSTILE[:20]}.py".replace("/", ""): f"# {HOSTILE}\n'''{HOSTILE}'''\n".encode(),
        "b\"'.py": b"\xff\0\x1b[31m",
    }
    sent = send(student, files=files, results=[("wrong_answer", notes)] * 3, **done("wrong_answer", note=HOSTILE))
    for address in (f"/submissions/{sent.pk}/", f"/submissions/{sent.pk}/story", "/work/"):
        page = as_student.get(address).content.decode()
        assert "<script>alert" not in page, address
        assert "</pre>" not in page, address
    assert "vector&lt;int&gt;" in page_of(as_student, sent)


def test_a_program_is_downloaded_and_never_shown_by_the_browser(as_student: Client, student: User, send: Send) -> None:
    content = b"<script>alert(1)</script>\xff\r\n"
    one, two = send(student, files={'a/x".html': content}), send(student, files={"a.py": b"1", "b/c.py": b"2"})
    answer = as_student.get(f"/submissions/{one.pk}/download")
    assert answer.content == content
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == 'attachment; filename="x.html"'
    assert as_student.get(f"/submissions/{two.pk}/download").content.startswith(b"PK")


def test_edit_and_try_again(as_student: Client, student: User, send: Send) -> None:
    sent = send(student, files={"mine.py": b"print('<b>')\r\n"})
    page = as_student.get(f"/problems/twice/?from={sent.pk}").content.decode()
    assert "print(&#x27;&lt;b&gt;&#x27;)" in page
    assert 'name="filename" value="mine.py"' in page
    assert "data-prefilled" in page


def test_a_trial_on_the_samples_shows_expected_and_got(as_student: Client, student: User, twice: Problem) -> None:
    runs = [
        {"name": "sample/1", "verdict": "wrong_answer", "note": "n", "team_note": "", "cpu_seconds": 0.02,
         "wall_seconds": 0.02, "memory_bytes": 1, "output": "5 <b>\n", "stderr": HOSTILE, "clipped": False},
        {"name": "sample/2", "verdict": "accepted", "note": "", "team_note": "", "cpu_seconds": 0.02,
         "wall_seconds": 0.02, "memory_bytes": 1, "output": "6\n", "stderr": "", "clipped": True},
    ]  # fmt: skip
    results = {"total": 2, "runs": runs, "compiled": True, "compile_log": "", "verdict": "wrong_answer"}
    run = Trial.objects.create(
        author=student, version=live_version(twice), language="python3", files=[], state="done", results=results
    )
    part = as_student.get(f"/trials/{run.pk}/story").content.decode()
    assert "1 of 2 right." in part
    assert "<ins>4</ins>" in part
    assert "<mark>5</mark> &lt;b&gt;" in part
    assert "<script>alert" not in part
    assert "Only the beginning is shown." in part


def rows(expected: str, got: str) -> list[str]:
    return [
        str(row.html).replace('<span class="inv">', "‹").replace("</span>", "›") for row in difference(expected, got)
    ]


def test_difference_shows_the_first_word_that_differs() -> None:
    assert rows("a b c\nd\n", "a x c\nd\n") == ["a <ins>b</ins> c‹↵›", "a <mark>x</mark> c‹↵›"]
    assert rows("1\n2\n", "1\n") == ["<ins>2</ins>‹↵›", "‹no such line›"]
    assert rows("1\n", "1\n2 3\n") == ["‹no such line›", "<mark>2</mark> 3‹↵›"]
    assert rows("same\n", "same\n") == []


def test_difference_makes_blanks_visible_when_nothing_else_differs() -> None:
    assert rows("a b\n", "a b \t\r\n") == ["a b‹↵›", "a b‹·›‹→›‹CR›‹↵›"]
    assert rows("A\n", "a\n") == ["A‹↵›", "a‹↵›"]
    assert rows("x\n", "x\x1b[0m\n")[1] == "<mark>x‹[U+001B]›[0m</mark>‹↵›"


def test_difference_is_bounded() -> None:
    made = difference("\n".join(map(str, range(10**5))), "\n".join("x" * 10**4 for _ in range(50)))
    assert len(made) == 12
    assert sum(len(row.html) for row in made) < 10_000


@pytest.mark.parametrize(
    ("text", "files", "place"),
    [
        ("main.cpp:3:5: error: no", ["main.cpp"], (0, 3)),
        ("/box/main.js:7", ["main.js"], (0, 7)),
        ('  File "main.py", line 12', ["a.py", "main.py"], (1, 12)),
        ("Main.java:4: error: ';' expected", ["mine.java"], (0, 4)),
        ("./main.go:4:14: cannot use", ["main.go"], (0, 4)),
        (" --> main.rs:2:18", ["mine.rs"], (0, 2)),
        ("main.pas(4,8) Error: Incompatible types", ["main.pas"], (0, 4)),
        ("Sum.cs(3,17): error CS0029: Cannot", ["Sum.cs", "Other.cs"], (0, 3)),
        ("main.kt:2:18: error: type mismatch", ["main.kt"], (0, 2)),
        ("In file included from a.h:1,", ["a.h"], (None, None)),
        ("/usr/include/c++/12/vector:40:2: error", ["main.cpp"], (None, None)),
        ("3 errors", ["main.cpp"], (None, None)),
        ("main.cpp:99999999999999: error", ["main.cpp"], (None, None)),
    ],
)
def test_where_a_compiler_points(text: str, files: list[str], place: tuple[int | None, int | None]) -> None:
    (line,) = log_lines(text, files)
    assert (line.file, line.line) == place


def test_lines_of_a_program() -> None:
    shown = source_lines(b'x = "a\nb"  # <i>\r\nif x:\n\tpass', "python3", "s0")
    assert shown.count("<span id=") == 4
    assert '<span class="k">if</span>' in shown
    assert "&lt;i&gt;" in shown
    assert source_lines(b"", "cpp", "s0").count("<span id=") == 1
    assert source_lines(b"<b>\xff", "unknown", "s0") == '<span id="s0-L1">&lt;b&gt;\N{REPLACEMENT CHARACTER}</span>'
    assert as_text(b"\xef\xbb\xbfa\r\nb\rc") == "a\nb\nc"


def test_a_long_program_is_shown_plainly_and_in_time() -> None:
    assert source_lines(b"x = 1\n" * 100_000, "python3", "s0").count("<span id=") == 100_000


HARD = {
    "blank lines": "int main(){}" + "\n " * 65_000 + "int x;",
    "empty lines": "\n" * 4000 + "x",
    "blanks within a function's head": "a" + ("\n" + " " * 900) * 60 + "b()" + ("\n" + " " * 900) * 60 + "x",
    "comments": "/*" * (64 << 10),
    "quotes": '"' * (128 << 10),
    "brackets": "(" * (128 << 10),
    "brackets in lines": "(\n" * 8000,
    "formats in lines": ('"%' + "0" * 990 + '"\n') * 120,
}


@pytest.mark.parametrize("code", LEXERS)
@pytest.mark.parametrize("kind", HARD)
def test_a_program_made_to_be_slow_is_shown_whole_and_in_time(code: str, kind: str) -> None:
    text = HARD[kind]
    began = time.thread_time()
    shown = source_lines(text.encode(), code, "s0")
    assert time.thread_time() - began < 1.5
    assert html.unescape(re.sub(r"<[^>]*>", "", shown)) == re.sub(
        r"^(?=\n)|(?<=\n)(?=\n)", " ", text.removesuffix("\n")
    ).replace("\n", "")
    assert re.findall(r' id="s0-L(\d+)"', shown)[-1] == str(text.removesuffix("\n").count("\n") + 1)
    assert source_lines(text.encode(), code, "s1") == shown.replace('id="s0-', 'id="s1-')


@pytest.mark.parametrize(
    ("code", "text", "coloured"),
    [
        ("go", b'func main() { s := `a\n` + "b" } // 1', {"k": "func", "s": "&quot;b&quot;", "c": "// 1"}),
        ("rust", b"fn f<'a>(x: &'a str) { let c = 'x'; } /* 1 */", {"k": "fn", "s": "&#x27;x&#x27;", "c": "/* 1 */"}),
        ("pascal", b"{ a } Begin write('it''s', 15) END.", {"k": "Begin", "n": "15", "c": "{ a }"}),
        ("csharp", b'class A { string s = @"a\\b"; } // 1', {"k": "class", "s": "@&quot;a\\b&quot;", "c": "// 1"}),
        ("kotlin", b'fun f() = """a\nb""" + 12.5', {"k": "fun", "n": "12.5", "s": "b&quot;&quot;&quot;"}),
    ],
)
def test_colours_of_the_other_languages(code: str, text: bytes, coloured: dict[str, str]) -> None:
    shown = source_lines(text, code, "s0")
    for style, piece in coloured.items():
        assert f'<span class="{style}">{piece}</span>' in shown


def test_every_language_has_colours() -> None:
    assert set(LEXERS) == {language.code for language in LANGUAGES.values()}


def test_colours_in_c_do_not_need_the_heads_of_functions() -> None:
    shown = source_lines(b"#include <a.h>\nint main(void) {\n  return 1; // x\n}\n}\nstatic int f();\n", "c", "s0")
    assert [f'<span class="k">{word}</span>' in shown for word in ("int", "return", "static")] == [True] * 3
    assert '<span class="n">1</span>' in shown
    assert '<span class="c">// x</span>' in shown


def test_staff_read_how_a_program_ended_in_their_language(twice: Problem) -> None:
    outcome = Outcome(
        ending=Ending.WALL_TIME,
        exit_code=None,
        signal=None,
        cpu_seconds=0.02,
        wall_seconds=5.0,
        memory_bytes=0,
        stdout=b"",
        stderr=b"",
    )
    note = say("said", "The program %(how)s.", how=ended(outcome))
    with override("ro"):
        told = told_case({"judge_note": note}, live_version(twice))["judge_note"]
    assert told == "Programul a fost oprit după 5 s de timp real, în care a folosit 0,02 s de timp de procesor."


def test_a_part_of_the_points_is_not_shown_as_all(
    as_student: Client, student: User, send: Send, twice: Problem
) -> None:
    assert twice.live is not None
    twice.live.facts |= {"scoring": True, "out_of": 100.0}
    twice.live.save()
    sent = send(student, results=[("accepted", {})] * 3, **done("accepted", note="60 of 100", points=60, out_of=100))
    CaseResult.objects.filter(judgement__submission=sent, position=3).update(points=60)
    page = page_of(as_student, sent)
    assert 'class="verdict partial"' in page
    assert "Accepted in part</span>" in page
    assert '<td class="num nowrap">60</td>' in page


def test_what_the_groups_of_a_problem_are_worth(tmp_path: Path) -> None:
    reading = read(
        write(
            tmp_path,
            {
                "problem.yaml": problem("type: scoring"),
                "data/secret/01-two.in": None,
                "data/secret/01-two.ans": None,
                "data/secret/1-small/test_group.yaml": "max_score: 30\nscore_aggregation: pass-fail\n",
                "data/secret/2-large/test_group.yaml": "max_score: 70\nscore_aggregation: sum\n",
                **{
                    f"data/secret/{name}/a.{ending}": "1\n"
                    for name in ("1-small", "2-large")
                    for ending in ("in", "ans")
                },
            },
        )
    )
    assert reading.package is not None, reading.findings
    cases = [{"group": "secret/2-large", "verdict": "accepted", "points": 35.0}]
    told = [f"{one.name} {one.got} of {one.of}" for one in worth_of_package(reading.package, cases)]
    assert told == ["1-small 0 of 30", "2-large 35 of 70"]


def test_signs_that_hide_or_turn_text_are_written_out(as_student: Client, student: User, send: Send) -> None:
    note = "Case 1 \x1b[31mred \u202eturned\u00a0\tand é"
    sent = send(student, results=[("wrong_answer", {"team_note": note})], **done("wrong_answer", note=note))
    page = page_of(as_student, sent)
    assert page.count("\\x1b[31mred \\u202eturned\u00a0\tand é") >= 2
    assert "\u202e" not in page


def test_what_has_no_samples_or_no_limits_does_not_offer_them(as_student: Client, twice: Problem) -> None:
    assert twice.live is not None
    page = as_student.get("/problems/twice/").content.decode()
    assert 'value="samples"' in page
    assert "<dt>Time</dt>" in page
    twice.live.facts |= {"samples": 0, "types": ["submit-answer"]}
    twice.live.save()
    page = as_student.get("/problems/twice/").content.decode()
    assert 'value="samples"' not in page
    assert "<dt>Time</dt>" not in page


def test_cases_of_whose_answer_the_same_is_said_share_a_row(as_student: Client, student: User, send: Send) -> None:
    told = "The output says NO TOUR, but there is a tour."
    same = {"note": "Case %d of 3 printed a wrong answer.", "team_note": told}
    results = [("wrong_answer", {**same, "cpu_seconds": 0.2 * number}) for number in (1, 2)]
    sent = send(
        student, results=[*results, ("wrong_answer", {**same, "team_note": "Another."})], **done("wrong_answer")
    )
    page = story(student, sent)
    assert page is not None
    assert [[tile.number for tile in row.tiles] for row in page.rows] == [[1, 2], [3]]
    assert page.rows[0].cpu_seconds == 0.4
    html = page_of(as_student, sent)
    assert html.count(told) == 1
    assert "≤ 0.400 s" in html


def test_a_cost_that_is_not_shown_is_not_told_as_nothing() -> None:
    tile = Tile(number=1, status="wrong_answer", layer="", facts={"cpu_seconds": None, "memory_bytes": None})
    row = Row(tiles=[tile, tile])
    assert (row.cpu_seconds, row.memory_bytes) == (None, None)
