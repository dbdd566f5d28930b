"""What the desk finds out about a version: its checker, its strength, its pictures; and a case that is added for it."""

import pytest

from judge.authoring import actions, drafts, editing, strength
from judge.authoring.models import Errand
from judge.blobs import store
from judge.people.models import User
from judge.people.refusal import Refused
from problems.models import Problem, Version
from tests.authoring.conftest import Do

pytestmark = pytest.mark.django_db(transaction=True)

LISTED = "generators/generators.yaml"
LENIENT = """\
import sys

from pathlib import Path

want = Path(sys.argv[2]).read_text().split()
got = sys.stdin.read().split()
if got and got[0] == "nan":
    sys.exit(1)
sys.exit(42 if got[:1] == want else 43)
"""
"""A checker that does not read to the end, and crashes at nan."""
DRAWS = """\
import sys

text = open(sys.argv[1]).read()
open("testcase.svg", "w").write(f'<svg xmlns="http://www.w3.org/2000/svg"><text>{text}</text></svg>')
"""


def version(problem: Problem, by: User, do: Do) -> Version:
    made = do(actions.ask(by, problem, "make"))
    assert made.version is not None, made.message
    return made.version


def test_a_good_checker_surprises_nobody(sums: Problem, instructor: User, do: Do) -> None:
    tried = do(actions.ask(instructor, sums, "checker", version(sums, instructor, do)))
    assert (tried.succeeded, tried.message) == (True, "")
    assert (len(tried.result["rows"]), tried.result["checker"]) == (30, "")
    rows = {row["id"]: row for row in tried.result["rows"]}
    assert {cell["answer"] for cell in rows["crlf"]["cells"]} == {"accepted"}
    assert {cell["answer"] for cell in rows["empty"]["cells"]} == {"wrong"}


def test_a_lenient_checker_that_crashes_is_told_about(sums: Problem, instructor: User, do: Do) -> None:
    editing.add(instructor, sums, {"output_validator/lenient.py": LENIENT.encode()})
    tried = do(actions.ask(instructor, sums, "checker", version(sums, instructor, do)))
    assert tried.succeeded is False
    opinions = {row["id"]: row["opinion"] for row in tried.result["rows"]}
    assert (opinions["nan"], opinions["word-more"], opinions["crlf"]) == ("broken", "lenient", "fine")


def test_an_output_of_ones_own(sums: Problem, instructor: User, do: Do) -> None:
    made = version(sums, instructor, do)
    for output, answer in (("3\n", "accepted"), ("3 x\n", "wrong")):
        tried = do(actions.ask(instructor, sums, "try", made, {"case": "sample/1", "output": output}))
        assert (tried.result["answer"], tried.wishes["output"]) == (answer, output)
    assert "word 2" in tried.result["judge_note"]
    assert Errand.objects.filter(kind="try").count() == 2, "another output is another errand"
    for sent in ({"case": "secret/none", "output": ""}, {"case": "sample/1", "output": "x" * (65 << 10)}, {}):
        with pytest.raises(Refused):
            actions.ask(instructor, sums, "try", made, sent)


@pytest.mark.byname
def test_strength_and_the_case_it_suggests(sums: Problem, instructor: User, do: Do) -> None:
    text = "# mine\nsolution: /submissions/accepted/sum.py\n"
    text += "data:\n  secret:\n    data:\n      one: random_pair.py 1  # why\n"
    editing.add(instructor, sums, {LISTED: text.encode()}, replace=True)
    twisted = "a, b = map(int, input().split())\nif a > 900:\n    a = a + 0\nprint(a + b if a < 10**6 else 10**6 + b)\n"
    editing.add(instructor, sums, {"submissions/accepted/sum.py": twisted.encode()}, replace=True)
    made = version(sums, instructor, do)
    wishes = {"mutants": "25", "budget": "10", "solution": "submissions/accepted/sum.py"}
    measured = do(actions.ask(instructor, sums, "strength", made, wishes))
    assert (measured.succeeded, measured.message) == (True, "")
    facts = measured.result
    assert measured.wishes == {"mutants": 25, "budget": 10, "solution": "submissions/accepted/sum.py"}
    assert facts["killed"] + facts["survived"] <= len(facts["tried"])
    assert facts["survivors"]
    assert all(one["diff"] for one in facts["survivors"])
    assert facts["suggestions"], "some of them are found out by a larger number"
    one = facts["suggestions"][0]
    name = editing.add_case(instructor, sums, like=one["like"], command=one["command"], text=one["input"])
    assert name == "secret/suggested-1"
    listed = drafts.working_copy(sums).files[LISTED].read_text()
    assert listed.startswith(text)
    again = version(sums, instructor, do)
    assert again.cases.filter(name="secret/suggested-1").exists()


BAD = [
    {"mutants": "301"},
    {"mutants": "-1"},
    {"mutants": "1.5"},
    {"mutants": "nan"},
    {"budget": "x"},
    {"solution": "y"},
]


@pytest.mark.parametrize("sent", BAD)
def test_wishes_are_bounded(sent: dict[str, str], sums: Problem, instructor: User, do: Do) -> None:
    made = version(sums, instructor, do)
    with pytest.raises(Refused):
        actions.ask(instructor, sums, "strength", made, sent)
    with pytest.raises(Refused):
        actions.ask(instructor, sums, "verify", made, sent)


def test_one_is_measured_at_a_time(sums: Problem, instructor: User, do: Do) -> None:
    made = version(sums, instructor, do)
    first = actions.ask(instructor, sums, "strength", made, {"mutants": "5"})
    assert actions.ask(instructor, sums, "strength", made, {"mutants": "5"}) == first
    with pytest.raises(Refused, match="in another way"):
        actions.ask(instructor, sums, "strength", made, {"mutants": "6"})


def test_where_nothing_can_be_measured_the_reason_is_told(sums: Problem, instructor: User, do: Do) -> None:
    made = version(sums, instructor, do)
    case = made.cases.get(name="sample/1")
    case.answer = store.put(b"4\n")
    case.save()
    measured = do(actions.ask(instructor, sums, "strength", made))
    assert (measured.succeeded, "is not accepted on sample/1" in measured.message) == (False, True)
    package = drafts.working_copy(sums).reading.package
    assert package is not None
    assert strength.solutions(package) == ["submissions/accepted/sum.py"]


def test_cases_are_drawn_when_a_version_is_made(sums: Problem, instructor: User, do: Do) -> None:
    editing.add(instructor, sums, {"input_visualizer/draw.py": DRAWS.encode()})
    made = version(sums, instructor, do)
    drawn = do(Errand.objects.get(kind="pictures", version=made))
    assert drawn.succeeded
    assert set(drawn.result["drawn"]) == {case.name for case in made.cases.all()}
    picture = drawn.result["drawn"]["sample/1"]
    assert (picture["type"], b"<svg" in store.get(picture["digest"])) == ("image/svg+xml", True)


PLACES = {
    "a command": (
        "secret/random1",
        "random_pair.py 9 7",
        "",
        "      suggested-1: random_pair.py 9 7\n",
    ),
    "an input": ("secret/random1", "", "5 6\n", '      suggested-1: {in: "5 6\\n"}\n'),
    "after a sample": ("sample/1", "", "5 6\n", '      suggested-1: {in: "5 6\\n"}\n'),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_case_is_added_where_its_like_stands(place: str, sums: Problem, instructor: User) -> None:
    like, command, text, line = PLACES[place]
    before = drafts.working_copy(sums).files[LISTED].read_text()
    other = {"command": command and "random_pair.py 9 8", "text": text and "5 8\n"}
    assert editing.add_case(instructor, sums, like=like, command=command, text=text) == "secret/suggested-1"
    with pytest.raises(Refused, match="already: it is secret/suggested-1"):
        editing.add_case(instructor, sums, like=like, command=command, text=text)
    assert editing.add_case(instructor, sums, like=like, **other) == "secret/suggested-2"
    after = drafts.working_copy(sums).files[LISTED].read_text()
    assert after == before + line + line.replace("suggested-1", "suggested-2").replace("9 7", "9 8").replace("6", "8")
    assert drafts.working_copy(sums).reading.package is not None


def test_a_case_beside_files_is_a_file(sums: Problem, instructor: User) -> None:
    editing.add(instructor, sums, {"data/secret/big/01.in": b"1 2\n", "data/secret/big/01.ans": b"3\n"})
    assert (
        editing.add_case(instructor, sums, like="secret/big/01", command="", text="5 6\n") == "secret/big/suggested-1"
    )
    assert drafts.working_copy(sums).files["data/secret/big/suggested-1.in"].read_text() == "5 6\n"
    with pytest.raises(Refused, match=r"already: it is data/secret/big/suggested-1\.in"):
        editing.add_case(instructor, sums, like="secret/big/01", command="", text="5 6\n")
    with pytest.raises(Refused, match="make a generator"):
        editing.add_case(instructor, sums, like="secret/big/01", command="", text="")


def test_a_version_is_made_again_to_the_byte(sums: Problem, instructor: User, do: Do) -> None:
    made = version(sums, instructor, do)
    done = do(actions.ask(instructor, sums, "again", made))
    cases = made.cases.count()
    assert (done.succeeded, done.result) == (True, {"cases": cases, "differ": [], "differ_in_all": 0})
    case = made.cases.get(name="secret/random1")
    case.input = store.put(b"1 1\n")
    case.save()
    done = do(actions.ask(instructor, sums, "again", made))
    assert (done.succeeded, done.result["differ"]) == (False, ["secret/random1"])
