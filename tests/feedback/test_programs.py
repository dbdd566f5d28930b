"""Real mistakes: each gets an input on which it really fails; right programs are never told to be like a wrong one."""

import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.grading.feedback.behaves_like import behaves_like
from judge.grading.feedback.bench import digest_of
from judge.grading.feedback.counterexample import Hunt
from judge.grading.feedback.direction import Direction
from judge.grading.feedback.mistake import Mistake
from judge.grading.feedback.tries import Tries
from judge.grading.verdict import Verdict
from problems.package.model import Way
from sandbox.contract import Sandbox
from tests.feedback.catalog import LIKE, PROGRAMS, Shelf, programs, shelf

SLUGS = ("knightmoves", "knightstour", "maze")


@pytest.fixture(scope="session")
def on_shelf(box: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Shelf]:
    folder = tmp_path_factory.mktemp("catalog")
    return lambda slug: shelf(slug, box, folder)


def check(on: Shelf, program: Path, *, judged: bool = True) -> tuple[float, str]:
    """The seconds until there was a counterexample, and what the program is told to be like."""
    name = f"{program.parent.name}/{program.name}"
    done = on.searched(program, judged=judged)
    assert done.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR, Verdict.COMPILE_ERROR), name
    found = done.counterexample.hunted.found
    assert found is not None, name
    assert done.like in ("", LIKE.get(name)), name
    assert digest_of(found.input) not in on.secret
    with on.grounds.bench(on.box) as bench:
        assert bench.legal(found.input)
        answer = bench.answer(found.input)
        assert answer is not None
        assert answer.output == found.answer
        assert bench.look(on.executable(program), found.input, answer, patient=True).wrong, name
    return done.seconds, done.like


def test_a_mistake_of_each_kind(on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    for name in ("target_swapped.cpp", "first_line_only.c", "index_nine.py", "no_full_stop.py"):
        program = PROGRAMS / "knightmoves" / name
        _, like = check(on, program, judged=False)
        assert like == LIKE.get(f"knightmoves/{name}", "")


def test_the_first_input_is_the_smallest_and_no_secret_case(on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    hunted = on.searched(PROGRAMS / "knightmoves" / "five_layers.cpp", judged=False).counterexample.hunted
    assert hunted.found is not None
    # a1 h8 comes before, and is a secret case.
    assert (hunted.found.input, hunted.smallest, hunted.wrong, hunted.kept_back) == (b"a8 h1\n", True, 4, 1)
    assert hunted.all_wrong == (), "the list would tell which one is the secret case"


def test_few_inputs_are_listed(on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    executable, inputs = on.executable(PROGRAMS / "knightmoves" / "five_layers.cpp"), on.grounds.small().inputs
    with on.grounds.bench(on.box) as bench:
        hunted = Hunt(bench, executable, inputs, joined=True).hunt()
    assert (hunted.wrong, hunted.all_wrong) == (4, (b"a1 h8\n", b"a8 h1\n", b"h1 a8\n", b"h8 a1\n"))


def test_what_is_wrong_everywhere_in_the_same_way_is_told(on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    counterexample = on.searched(PROGRAMS / "knightmoves" / "off_by_one.py", judged=False).counterexample
    assert (counterexample.hunted.wrong, counterexample.mistake) == (4096, Mistake.OFF_BY_ONE)


def test_which_way_a_program_is_wrong(on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    for name, expected in (
        ("stack_for_queue.cpp", [Direction(way=Way.LARGER, wrong=3047, least=2, most=22)]),
        ("off_by_one.py", []),  # all are off by one, which says more
        ("border_of_seven.c", []),
    ):
        steps = on.searched(PROGRAMS / "knightmoves" / name, judged=False).steps
        assert [step for step in steps if isinstance(step, Direction)] == expected


def test_a_right_program_is_wrong_on_nothing_and_like_nobody(on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    for example in on.package.examples:
        if example.folder != "accepted" or not example.program.name.endswith(("/bfs.cpp", "/bfs.py")):
            continue
        program = on.package.root / example.program.name
        done = on.searched(program, judged=False)
        assert done.counterexample.hunted.found is None
        assert done.counterexample.hunted.tried == 4096
        assert not any(isinstance(step, Direction) for step in done.steps)
        with on.grounds.bench(on.box) as bench:
            assert behaves_like(bench, Tries(on.executable(program)), on.grounds.full()) is None


@pytest.mark.byname
@pytest.mark.parametrize("slug", SLUGS)
def test_every_program(slug: str, on_shelf: Callable[[str], Shelf], capsys: pytest.CaptureFixture[str]) -> None:
    on = on_shelf(slug)
    on.grounds.full()
    results = {program.name: check(on, program) for program in programs(slug)}
    expected = {name.partition("/")[2] for name in LIKE if name.startswith(f"{slug}/")}
    named = sum(results[name][1] != "" for name in expected)
    median = statistics.median(seconds for seconds, _ in results.values())
    with capsys.disabled():
        print(f"\n{slug}: {len(results)} programs, median {median:.2f} s, {named} of {len(expected)} named")  # noqa: T201


@pytest.mark.byname
@pytest.mark.parametrize("program", programs("knightmoves"), ids=lambda program: program.name)
def test_no_smaller_line_shows_it(program: Path, on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf("knightmoves")
    hunted = on.searched(program, judged=False).counterexample.hunted
    assert hunted.found is not None
    ground, executable = on.grounds.small(), on.executable(program)
    with on.grounds.bench(on.box) as bench:
        for text in ground.inputs:
            if text == hunted.found.input:
                return
            answer = bench.answer(text)
            assert answer is not None
            if bench.look(executable, text, answer).wrong:
                assert digest_of(text) in on.secret, text
    assert hunted.found.input.count(b"\n") > 1


@pytest.mark.byname
@pytest.mark.parametrize("slug", SLUGS)
def test_no_right_program_is_like_a_mutant(slug: str, on_shelf: Callable[[str], Shelf]) -> None:
    on = on_shelf(slug)
    for example in on.package.examples:
        if example.folder == "accepted":
            with on.grounds.bench(on.box) as bench:
                program = on.package.root / example.program.name
                assert behaves_like(bench, Tries(on.executable(program)), on.grounds.full()) is None, program
