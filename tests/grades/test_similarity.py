"""What is alike is found whatever it is called, and what everybody writes is not: evidence for who teaches."""

import builtins
import keyword
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from judge.assignments.models import AssignmentProblem
from judge.blobs import store
from judge.grades.actions import GIVEN, compare
from judge.grades.models import Comparison
from judge.grades.similarity.outputs import same_rare_outputs
from judge.grades.similarity.report import Program, SameOutput, report
from judge.grades.similarity.tokens import END, tokens
from judge.grades.similarity.winnowing import RUN, WINDOW, fingerprints, parts
from judge.grades.tasks import run
from judge.people.models import AuditEntry, Course, CourseRole, Membership, User
from judge.people.refusal import Refused
from judge.submissions.models import CaseResult, State, Submission
from judge.submissions.tasks import close_box, work
from problems.models import Problem
from tests.conftest import assign, person
from tests.grades.conftest import Send

ACCEPTED = Path(settings.BASE_DIR) / "problems/catalog/knightmoves/submissions/accepted"
NAMES = re.compile(rf"\b(?!(?:{'|'.join([*keyword.kwlist, *dir(builtins)])})\b)[a-z_]\w+")
SHORT = (
    "print(2 * int(input()))\n",
    "number = int(input())\nprint(number * 2)\n",
    "import sys\nn = int(sys.stdin.readline())\nprint(n + n)\n",
)


def right(name: str) -> bytes:
    return (ACCEPTED / name).read_bytes()


def program(number: int, content: bytes | str, code: str = "python3") -> Program:
    content = content if isinstance(content, bytes) else content.encode()
    return Program(submission=number, author=100 + number, code=code, files={"main": content})


def disguised(content: bytes) -> bytes:
    """With other names, other comments in other places, and other blank lines."""
    lines = [line for line in content.decode().split("\n") if not line.lstrip().startswith("#")]
    text = NAMES.sub(lambda found: f"x_{found[0][::-1]}", "\n".join(lines))
    return "\n\n".join(
        f"{line}  # step {at}" if line.strip() else "# new\n" for at, line in enumerate(text.split("\n"))
    ).encode()


def compared(*programs: Program, given: Any = (), outputs: Any = None, **more: Any) -> dict[str, Any]:
    return report(programs, given, outputs or {}, **more)


def pairs(found: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(pair["one"], pair["other"]) for pair in found["pairs"]]


def test_names_comments_and_spacing_do_not_matter() -> None:
    content = right("bfs.py")
    assert disguised(content) != content
    found = compared(program(1, content), program(2, disguised(content)), program(3, right("bidirectional.py")))
    assert found["groups"] == [[1, 2]]
    for name in ("bfs.cpp", "bfs.c", "Moves.java", "bfs.js"):
        code = {"cpp": "cpp", "c": "c", "java": "java", "js": "javascript"}[name.rpartition(".")[2]]
        changed = re.sub(rb"\b(row|queue|board|from)\b", rb"my\1", re.sub(rb"//[^\n]*", b"", right(name)))
        assert compared(program(1, right(name), code), program(2, changed, code))["groups"] == [[1, 2]], name


def test_what_is_moved_and_mixed_with_own_code_is_found_on_top() -> None:
    """Half of a program in another order, in the middle of something else."""
    lines = disguised(right("bfs.py")).decode().split("\n")
    middle = len(lines) // 2
    moved = "\n".join(
        [*lines[middle:], "total = sum(value * value for value in range(100) if value % 7)", *lines[:middle]]
    )
    found = compared(
        program(1, right("bidirectional.py")),
        program(2, right("bfs.py")),
        program(3, moved),
        program(4, right("list_as_queue.py").replace(b"queue", b"q")),
    )
    assert pairs(found)[0] == (2, 3)
    top = found["pairs"][0]
    assert min(top["shares"]) > 0.8
    assert len(top["parts"]) >= 2
    text = {1: right("bfs.py").decode(), 2: moved}
    for one, other in top["parts"]:
        words = [
            len(re.findall(r"\w+|[^\w\s]", re.sub(r"#.*", "", text[at][start:end])))
            for at, (_, start, end) in ((1, one), (2, other))
        ]
        assert words[0] == words[1] >= RUN


def test_right_solutions_of_a_short_problem_are_nothing() -> None:
    found = compared(*(program(number, text) for number, text in enumerate(SHORT * 2)))
    assert (pairs(found), found["left_out"]) == ([], {"short": 6})


READING = """\
import sys
def read():
    rows = []
    for line in sys.stdin:
        line = line.strip()
        if line == "":
            break
        first, second = line.split()
        rows.append((int(first), int(second)))
    return rows
"""
OWN = (
    """\
best = {}
for a, b in read():
    best[a] = min(best.get(a, b), b)
print(*[best[key] for key in sorted(best, reverse=True) if best[key] > 0], sep='\\n')
""",
    """\
rows = read()
while rows:
    top = rows.pop()
    if top[0] == 0: continue
    print(top[1] // top[0], end=' ')
    assert len(rows) >= 0 and top is not None, 'never'
print()
""",
    """\
from collections import deque
queue = deque(read())
seen = set()
while queue:
    at = queue.popleft()
    if at in seen:
        print('again', at[0] ^ at[1])
    seen |= {at}
else:
    print(len(seen))
""",
)


def test_what_was_given_to_all_is_left_out() -> None:
    programs = [program(number, READING + own) for number, own in enumerate(OWN)]
    assert len(pairs(compared(*programs))) == 3, "without it, the template alone makes them alike"
    found = compared(*programs, given=[{"reading.py": READING.encode()}])
    assert pairs(found) == []
    copied = program(9, READING.replace("rows", "lines") + OWN[0].replace("best", "least"))
    assert compared(*programs, copied, given=[{"reading.py": READING.encode()}])["groups"] == [[0, 9]]


def test_what_many_write_is_no_evidence() -> None:
    """The same way to read, by everybody; the rest is their own."""
    own = ["".join(f"value_{step} = {number} {sign} {step} ** {number + step}\n" for step in range(12))
           for number in range(10) for sign in ("+-*%"[number % 4],)]  # fmt: skip
    programs = [program(number, READING * 3 + text) for number, text in enumerate(own)]
    assert pairs(compared(*programs[:3])) == [(0, 1), (0, 2), (1, 2)]
    assert pairs(compared(*programs)) == []


def test_the_winnowing_promise() -> None:
    """Whatever stands around it, a run of `RUN + WINDOW - 1` equal tokens is found."""
    shared = " ".join(f"{number}" for number in range(RUN + WINDOW - 1))
    for before in range(WINDOW * 2):
        one = fingerprints(tokens({"a": f"{'+ ' * before}{shared} - - -".encode()}, "python3") or [])
        other = fingerprints(tokens({"a": f"* * {shared} / / {'% ' * before}".encode()}, "python3") or [])
        (part,) = parts(one, other)
        assert part.one[1] - part.one[0] == RUN + WINDOW - 1
        assert part.one == (before, before + RUN + WINDOW - 1)


def test_tokens_are_bounded_and_never_run_over_a_file() -> None:
    assert tokens({"a": b"x = 1 " * 400}, "python3") is None, "one line of more than a thousand characters"
    assert tokens({"a": b"x\n" * (1 << 17)}, "python3") is None
    assert tokens({"a": b"x"}, "cobol") is None
    both = tokens({"a": b"x = 'one'", "b": b'"""doc"""\ny = "two"'}, "python3") or []
    assert [token.text for token in both] == ["n", "=", "s", END, "n", "=", "s", END]
    half = b"1 + 2 - 3 * 4 / 5"
    assert fingerprints(tokens({"a": half, "b": half}, "python3") or []).places == {}


def test_time_over_is_said() -> None:
    programs = [program(number, right("bfs.py")) for number in range(3)]
    found = compared(*programs, seconds=-1)
    assert found["left_out"] == {"unread": 3}


def test_common_wrong_outputs_are_joined() -> None:
    one, other, third = program(1, right("bfs.py")), program(2, right("bidirectional.py")), program(3, SHORT[0])
    same = [SameOutput(case=f"secret/{number}", digest="d", submissions=(11, 22)) for number in range(8)]
    less = [SameOutput(case=f"secret/{number}", digest="e", submissions=(11, 21)) for number in range(7)]
    found = compared(one, other, third, outputs={(101, 104): less, (101, 102): same})
    assert pairs(found) == [(11, 22), (11, 21)], "more of them are more, also beyond those that are shown"
    found = compared(one, other, third, outputs={(101, 102): same, (101, 103): same[:1]})
    assert pairs(found) == [(11, 22)], "what printed them; one common output of its own lists nobody"
    (pair,) = found["pairs"]
    assert pair["outputs_in_all"] == 8
    assert pair["outputs"][0] == {"case": "secret/0", "digest": "d", "one": 11, "other": 22}


def wrong(sent: Submission, case: str, output: str) -> None:
    CaseResult.objects.create(
        judgement=sent.effective.judgement, position=CaseResult.objects.count(), name=case, group="secret",
        verdict="wrong_answer", cpu_seconds=0, wall_seconds=0, memory_bytes=0, points=0, output=output,
    )  # fmt: skip


def test_rare_is_what_hardly_anybody_printed(course: Course, paper_problem: Problem, send: Send) -> None:
    assignment = assign(course, paper_problem)
    people = [person(f"s{number}") for number in range(4)]
    for number, author in enumerate(people):
        sent = send(author, assignment, 0)
        wrong(sent, "secret/1", "everybody's")
        wrong(sent, "secret/2", "two of them" if number < 2 else f"own {number}")
        wrong(sent, "secret/3", "" if number < 2 else f"own {number}")
    wrong(send(people[0], assignment, 0), "secret/2", "two of them")
    found = same_rare_outputs(Submission.objects.filter(assignment=assignment), len(people))
    one, two = (author.pk for author in people[:2])
    assert list(found) == [(one, two)]
    first = [Submission.objects.filter(author=author).order_by("pk")[0].pk for author in people[:2]]
    assert found[one, two] == [SameOutput(case="secret/2", digest="two of them", submissions=(first[0], first[1]))]


def entry_with(course: Course, problem: Problem, send: Send, programs: Mapping[str, bytes]) -> AssignmentProblem:
    assignment = assign(course, problem)
    for name, content in programs.items():
        author = person(name)
        Membership.objects.create(user=author, course=course, role=CourseRole.STUDENT)
        one = send(author, assignment, language="python3")
        Submission.objects.filter(pk=one.pk).update(
            files=[{"name": "main.py", "digest": store.put(content), "size": len(content)}]
        )
    return assignment.entries.get()


@pytest.mark.django_db(transaction=True)
def test_a_worker_makes_the_report(
    broker: object, course: Course, instructor: User, twice: Problem, send: Send
) -> None:
    paper = {"problem": twice}
    entry = entry_with(
        course,
        twice,
        lambda *given, **more: send(*given, **more, **paper),
        {"uma": right("bfs.py"), "vic": disguised(right("bfs.py")), "wes": right("bidirectional.py")},
    )
    made = compare(instructor, entry, "")
    assert compare(instructor, entry, "") == made, "asked for twice, it is made once"
    assert AuditEntry.objects.filter(course=course, what__contains="had programs compared").count() == 1
    assert work(Comparison, made.pk, run, "a worker")
    made.refresh_from_db()
    assert made.state == State.DONE
    assert made.result["people"] == 3
    assert [len(group) for group in made.result["groups"]] == [2]
    again = compare(instructor, entry, right("bfs.py").decode())
    assert work(Comparison, again.pk, run, "a worker")
    close_box()
    assert list(Comparison.objects.all()) == [again], "the newest takes the place of the older"
    again.refresh_from_db()
    assert again.result["left_out"]["short"] >= 2, "the code that everybody had is left out"


def test_only_who_runs_the_course_asks(course: Course, student: User, instructor: User, paper_problem: Problem) -> None:
    entry = assign(course, paper_problem).entries.get()
    assistant = person("tom")
    Membership.objects.create(user=assistant, course=course, role=CourseRole.ASSISTANT)
    for reader in (student, assistant):
        with pytest.raises(Refused):
            compare(reader, entry, "")
    with pytest.raises(Refused, match="too long"):
        compare(instructor, entry, "x" * (GIVEN + 1))
    assert not Comparison.objects.exists()
