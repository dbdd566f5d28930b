"""Traces: what is taken, what is refused with its line, and what stands on the board after each step."""

# ruff: noqa: E501 -- a row of the table is a line

import json
from pathlib import Path

import pytest

import problems
from problems.package.replay import Beat, Stage, frames
from problems.package.trace import MAX_BYTES, MAX_STEPS, STEPS, parse
from problems.package.trace_line import TraceFault

BOARD = {"trace": 1, "kind": "board", "columns": 3, "rows": 3, "names": "chess", "start": "a1", "goal": "c2"}
GRID = {"trace": 1, "kind": "grid", "walls": ["953", "C56"], "start": "0,0", "goal": "2,1"}
GRAPH = {"trace": 1, "kind": "graph", "nodes": {"a": [0, 0], "b": [100, 50]}, "edges": [["a", "b"]]}
Line = dict[str, object] | bytes


def step(do: str, **facts: object) -> dict[str, object]:
    return {"do": do, **{key.rstrip("_"): value for key, value in facts.items()}}


def printed(*lines: Line) -> bytes:
    return b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)


def flood(*layers: list[str]) -> dict[str, object]:
    return step("flood", layers=[*layers])


A1 = step("enqueue", at="a1", distance=0)
TAKE = step("dequeue", at="a1")
B3 = step("enqueue", at="b3", distance=1, from_="a1")
C2 = step("enqueue", at="c2", distance=1, from_="a1")
FOUND: tuple[Line, ...] = (BOARD, A1, TAKE, B3, C2)
FIRST = step("enqueue", at="0,0", distance=0)
RIGHT: tuple[Line, ...] = (BOARD, A1, TAKE, B3, C2, step("layer", distance=1), step("dequeue", at="b3"), step("see", at="a1"),
                           step("dequeue", at="c2"), step("retrace", at="c2"), step("retrace", at="a1"), step("path", places=["a1", "c2"]))  # fmt: skip

WRONG: list[tuple[str, tuple[Line, ...], int, str]] = [
    ("nothing", (), 1, "Nothing was printed"),
    ("no json", (BOARD, b"enqueue a1"), 2, "not JSON"),
    ("deep json", (BOARD, b"[" * 100_000), 2, "not JSON"),
    ("a list", (BOARD, b"[]"), 2, "not a JSON object"),
    ("no step", (BOARD,), 1, "no step after the header"),
    ("no header", (A1, TAKE), 1, "`trace` is missing"),
    ("a later format", ({**BOARD, "trace": 2}, A1), 1, "must be 1"),
    ("kind", ({**BOARD, "kind": "cube"}, A1), 1, "must be one of board, grid, graph"),
    ("names", ({**BOARD, "names": "x"}, A1), 1, "must be one of chess"),
    ("too large a board", ({**BOARD, "columns": 90, "rows": 90, "names": "xy"}, A1), 1, "1 to 900 squares"),
    ("too large a grid", ({**GRID, "walls": ["0" * 101] * 100}, FIRST), 1, "1 to 10000 squares"),
    ("too large to be told one by one", ({**GRID, "walls": ["0" * 90] * 90}, FIRST), 1, "more only in a grid that is flooded"),
    ("no squares", ({**BOARD, "columns": 0}, A1), 1, "1 to 900 squares"),
    ("start elsewhere", ({**BOARD, "start": "z9"}, A1), 1, "no place `z9`"),
    ("unknown key of the header", ({**BOARD, "colour": "red"}, A1), 1, "`colour` is not known"),
    ("ragged walls", ({**GRID, "walls": ["95", "C"]}, A1), 1, "equally long"),
    ("walls that are no digits", ({**GRID, "walls": ["9x"]}, A1), 1, "hexadecimal"),
    ("no nodes", ({**GRAPH, "nodes": {}, "edges": []}, A1), 1, "1 to 200 nodes"),
    ("node outside", ({**GRAPH, "nodes": {"a": [0, 101]}, "edges": []}, A1), 1, "from 0 to 100"),
    ("edge to nowhere", ({**GRAPH, "edges": [["a", "z"]]}, A1), 1, "pair of names of nodes"),
    ("unknown step", (BOARD, step("fly", at="a1")), 2, "There is no step `fly`"),
    ("unknown place", (BOARD, step("enqueue", at="a9", distance=0)), 2, "There is no place `a9`"),
    ("place is a number", (BOARD, step("enqueue", at=7, distance=0)), 2, "`at` must be text"),
    ("no distance", (BOARD, step("enqueue", at="a1")), 2, "`distance` is missing"),
    ("distance below 0", (BOARD, step("enqueue", at="a1", distance=-1)), 2, "whole number"),
    ("distance is true", (BOARD, step("enqueue", at="a1", distance=True)), 2, "whole number"),
    ("unknown key of a step", (BOARD, step("see", at="a1", colour=1)), 2, "`colour` is not known"),
    ("long note", (BOARD, step("note", text="x" * 401)), 2, "at most 400"),
    ("too many bytes", (BOARD, b" " * MAX_BYTES), 1, "more than 512 KiB"),
    ("too many steps", (BOARD, *[step("note", text="")] * (MAX_STEPS + 1)), MAX_STEPS + 2, "more than 5,000 steps"),
    # What cannot happen
    ("taken before it was found", (BOARD, A1, step("dequeue", at="b3")), 3, "a1 is at the front"),
    ("taken twice", (BOARD, A1, TAKE, TAKE), 4, "nothing is at the front"),
    ("not the front", (BOARD, A1, TAKE, B3, C2, step("dequeue", at="c2")), 6, "b3 is at the front"),
    ("found twice", (BOARD, A1, TAKE, B3, B3), 5, "b3 was found before"),
    ("first place is far", (BOARD, step("enqueue", at="a1", distance=1)), 2, "must be 0"),
    ("wrong distance", (BOARD, A1, TAKE, {**B3, "distance": 2}), 4, "the distance of a1 and one more"),
    ("parent not current", (BOARD, A1, TAKE, B3, step("dequeue", at="b3"), C2), 6, "a1 is not the current place"),
    ("layers fall", (BOARD, A1, step("layer", distance=2), step("layer", distance=1)), 4, "cannot come after layer 2"),
    ("a layer not finished", (BOARD, A1, step("layer", distance=1), TAKE), 4, "layer 1 has begun"),
    ("distances fall in the queue", (BOARD, A1, TAKE, B3, step("enqueue", at="b2", distance=0)), 5, "only grow from front to back"),
    ("seen before found", (BOARD, A1, TAKE, step("see", at="b3")), 4, "has not been found yet"),
    ("looked from nowhere", (BOARD, A1, step("see", at="a1")), 3, "no current place"),
    ("met itself", (BOARD, A1, TAKE, step("meet", at="a1")), 4, "not found by the other side"),
    ("path without steps", (BOARD, A1, TAKE, B3, C2, step("path", places=["a1", "b3", "c2"])), 6, "No step has led from b3 to c2"),
    ("path from elsewhere", (BOARD, A1, TAKE, C2, step("path", places=["c2"])), 5, "from the start to the goal"),
    ("no path, too early", (BOARD, A1, step("no-path")), 3, "not sure yet"),
    ("way back begins elsewhere", (BOARD, A1, TAKE, C2, step("retrace", at="a1")), 5, "begins at the goal"),
    ("way back stays", (BOARD, A1, TAKE, B3, C2, step("retrace", at="c2"), step("retrace", at="b3")), 7, "cannot go from c2 to b3"),
    ("flooded and told one by one", (GRID, flood(["0,0"]), step("dequeue", at="0,0")), 3, "not told one by one"),
    ("a board is flooded", (BOARD, flood(["a1"])), 2, "Only a grid can be flooded"),
    ("a flood from elsewhere", (GRID, flood(["1,0"])), 2, "The first layer is the start alone"),
    ("a flood from two places", (GRID, flood(["0,0", "1,0"])), 2, "The first layer is the start alone"),
    ("a flood leaves a place out", (GRID, flood(["0,0"], ["1,0"])), 2, "not all that layer 0 leads to: look at 0,1"),
    ("a flood goes through a wall", ({**GRID, "walls": ["D53", "956"]}, flood(["0,0"], ["1,0", "0,1"])), 2, "look at 0,1"),
    ("a flood comes back", (GRID, flood(["0,0"], ["1,0", "0,1"], ["2,0", "0,0"])), 2, "look at 0,0"),
    ("a flood finds a place twice", (GRID, flood(["0,0"], ["1,0", "0,1", "0,1"])), 2, "look at a place twice"),
    ("a flood that is no list of lists", (GRID, step("flood", layers=["0,0"])), 2, "a list of lists of places"),
    ("a flood that has not ended", (GRID, flood(["0,0"]), step("no-path")), 3, "not sure yet"),
    ("visited twice", (BOARD, step("visit", at="a1"), step("visit", at="a1")), 3, "has been visited already"),
    ("back from elsewhere", (BOARD, step("visit", at="a1"), step("back", at="b3")), 3, "not where the walk stands"),
    ("ways of a visited place", (BOARD, step("visit", at="a1"), step("ways", of={"a1": 2})), 3, "cannot be visited next"),
    ("not the fewest", (BOARD, step("ways", of={"a1": 2, "b3": 1}, pick="a1")), 2, "does not have the fewest ways"),
    ("jump does not add up", (BOARD, step("jump", tour=["a1"], visits=5, backs=3)), 2, "visits less steps back"),
    ("jump to the past", (BOARD, step("visit", at="a1"), step("back", at="a1"), step("jump", tour=[], visits=0, backs=0)), 4, "A counter falls"),
    # What is claimed of a program and is not so
    ("claim of a kind unknown", (BOARD, A1, step("claim", wrong="ugly")), 3, "`wrong` must be one of distance"),
    ("claim of the right distance", (*FOUND, step("claim", wrong="distance", at="c2", said=1)), 6, "That is the distance"),
    ("claim while the search goes on", (*FOUND, step("claim", wrong="distance", at="a3", said=1)), 6, "has not been found"),
    ("claim with more", (*FOUND, step("claim", wrong="distance", at="c2", said=2, path=["a1"], text="x")), 6, "`text` is not known"),
    ("claim of the right count", (BOARD, A1, step("count", name="n", value=3), step("claim", wrong="count", name="n", said=3)), 4, "says the same"),
    ("claim of no counter", (BOARD, A1, step("claim", wrong="count", name="n", said=3)), 3, "or there is none"),
    ("claim before a way is known", (BOARD, A1, step("claim", wrong="none")), 3, "No way has been found"),
    ("claim of a right start", (BOARD, A1, step("claim", wrong="start", path=["a1"])), 3, "begins at the start"),
    ("claim of a right end", (BOARD, A1, step("claim", wrong="end", path=["a1", "c2"])), 3, "ends at the goal"),
    ("claim from elsewhere", (BOARD, A1, step("claim", wrong="end", path=["b3"])), 3, "does not begin at the start"),
    ("claim of a wall that is none", (GRID, FIRST, step("claim", wrong="wall", path=["0,0", "1,0"])), 3, "No wall is there"),
    ("claim of a wall far off", (GRID, FIRST, step("claim", wrong="wall", path=["0,0", "2,1"])), 3, "No wall is there"),
    ("claim of a wall on a board", (BOARD, A1, step("claim", wrong="wall", path=["a1", "b1"])), 3, "There is no wall"),
    ("claim of a later wall", (GRID, FIRST, step("claim", wrong="end", path=["0,0", "1,0", "1,1"])), 3, "cannot go from 1,0 to 1,1"),
    ("claim to leave inside", (GRID, FIRST, step("claim", wrong="outside", path=["0,0"], side="east")), 3, "1,0 is there"),
    ("claim to leave upwards", (GRID, FIRST, step("claim", wrong="outside", path=["0,0"], side="up")), 3, "`side` must be one of"),
    ("claim of a step that was made", (*FOUND, step("claim", wrong="step", path=["a1", "c2"])), 6, "does lead from a1 to c2"),
    ("claim of an open step", (GRID, FIRST, step("claim", wrong="step", path=["0,0", "1,0"])), 3, "does lead from 0,0 to 1,0"),
    ("claim of no step", (BOARD, A1, step("claim", wrong="step", path=["a1"])), 3, "has no step"),
    ("claim of a place once", (BOARD, step("visit", at="a1"), step("claim", wrong="twice", path=["a1", "b3"])), 3, "No place is visited twice"),
    ("claim of an earlier place twice", (BOARD, step("visit", at="a1"), step("claim", wrong="step", path=["a1", "b3", "b3", "b1"])), 3, "twice in the path before"),
    ("claim of nothing left out", ({**BOARD, "columns": 1, "rows": 1, "goal": ""}, step("visit", at="a1"), step("claim", wrong="short", path=["a1"])), 3, "No place is left out"),
    ("claim of the shortest", (*FOUND, step("claim", wrong="longer", path=["a1", "c2"])), 6, "not longer than the shortest"),
    ("claim of a good number", (BOARD, step("visit", at="a1"), step("claim", wrong="number", at="a1", said=9)), 3, "a number of a place"),
    ("claim of one place for two", (BOARD, step("visit", at="a1"), step("claim", wrong="same", both=["a1", "a1"], said=2)), 3, "must be two places"),
    ("claim without words", (BOARD, A1, step("claim", wrong="other", text=" ")), 3, "must say what is wrong"),
    ("after a claim", (BOARD, A1, step("claim", wrong="other", text="Odd."), step("note", text="more")), 4, "Nothing comes after a claim"),
    ("many counters", (BOARD, *[step("count", name=str(n), value=1) for n in range(9)]), 10, "more than 8 counters"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "line", "message"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_trace_is_refused_with_its_line(lines: tuple[Line, ...], line: int, message: str) -> None:
    with pytest.raises(TraceFault) as fault:
        for _ in frames(parse(printed(*lines))):
            pass
    assert message in fault.value.message
    assert fault.value.line == line


def test_frames_of_a_search() -> None:
    shown = [
        (stage.beat, stage.current, list(stage.queues[0]), sorted(stage.fresh), sorted(stage.seen), len(stage.taken))
        for stage in frames(parse(printed(*RIGHT)))
    ]
    assert shown == [
        (Beat.START, "", ["a1"], ["a1"], [], 0),
        (Beat.TAKE, "a1", [], [], [], 1),
        (Beat.LOOK, "a1", ["b3", "c2"], ["b3", "c2"], [], 1),
        (Beat.LAYER, "", ["b3", "c2"], [], [], 1),
        (Beat.TAKE, "b3", ["c2"], [], [], 2),
        (Beat.LOOK, "b3", ["c2"], [], ["a1"], 2),
        (Beat.TAKE, "c2", [], [], [], 3),
        (Beat.RETRACE, "c2", [], [], [], 3),
        (Beat.RETRACE, "a1", [], [], [], 3),
        (Beat.PATH, "a1", [], [], [], 3),
    ]


def test_frames_of_a_flood() -> None:
    told = (GRID, flood(["0,0"]), flood(["0,1", "1,0"], ["1,1", "2,0"]), flood(["2,1"]), flood([]))
    path = step("path", places=["0,0", "1,0", "2,0", "2,1"])
    shown = [
        (stage.beat, stage.layers[0], list(stage.queues[0]), sorted(stage.fresh), len(stage.taken), len(stage.path))
        for stage in frames(parse(printed(*told, path)))
    ]
    assert shown == [
        (Beat.FLOOD, 0, ["0,0"], ["0,0"], 0, 0),
        (Beat.FLOOD, 2, ["1,1", "2,0"], ["0,1", "1,0", "1,1", "2,0"], 3, 0),
        (Beat.FLOOD, 3, ["2,1"], ["2,1"], 5, 0),
        (Beat.FLOOD, 3, [], [], 6, 0),
        (Beat.PATH, 3, [], [], 6, 4),
    ]


def look(stage: Stage, place: str) -> tuple[object, ...]:
    groups = (stage.taken, [stage.current], stage.fresh, stage.seen, stage.path, stage.trail)
    return (stage.found.get(place), *(place in group for group in groups))


def test_what_may_look_different_is_told() -> None:
    """A picture that is put together from the changes alone is the same as one made anew."""
    pieces: dict[str, object] = {}
    for stage in frames(parse(printed(*RIGHT))):
        for place in stage.header.places if not pieces else stage.touched:
            pieces[place] = look(stage, place)
        assert pieces == {place: look(stage, place) for place in stage.header.places}, stage.beat


def test_every_step_of_the_table_is_documented() -> None:
    readme = (Path(problems.__file__).parent / "README.md").read_text(encoding="utf-8")
    assert {do for do in STEPS if f"| `{do}` |" in readme} == set(STEPS)


CLAIMS: list[tuple[Line, ...]] = [
    (*FOUND, step("claim", wrong="distance", at="c2", said=2)),
    (BOARD, A1, TAKE, step("claim", wrong="distance", at="c2", said=2)),  # everything was searched, it is not there
    (BOARD, A1, step("count", name="n", value=3), step("claim", wrong="count", name="n", said=4)),
    (*FOUND, step("claim", wrong="none")),
    (*FOUND, step("claim", wrong="longer", path=["a1", "b3", "a1", "c2"])),
    (BOARD, step("visit", at="a1"), step("claim", wrong="start", path=["b3", "a1"])),
    (GRID, FIRST, step("claim", wrong="end", path=["0,0", "1,0"])),
    (GRID, FIRST, step("claim", wrong="wall", path=["0,0", "1,0", "1,1"])),
    (GRID, flood(["0,0"], ["0,1", "1,0"]), step("claim", wrong="wall", path=["0,0", "1,0", "1,1"])),
    (GRID, FIRST, step("claim", wrong="outside", path=["0,0"], side="north")),
    (GRID, FIRST, step("claim", wrong="step", path=["0,0", "2,1"])),
    (BOARD, step("visit", at="a1"), step("claim", wrong="step", path=["a1", "b3", "b1"])),
    (BOARD, step("visit", at="a1"), step("claim", wrong="twice", path=["a1", "b3", "a1"])),
    (BOARD, step("visit", at="a1"), step("claim", wrong="short", path=["a1", "b3"])),
    (BOARD, step("visit", at="a1"), step("claim", wrong="number", at="a1", said=0)),
    (BOARD, step("visit", at="a1"), step("claim", wrong="same", both=["a1", "b3"], said=1)),
    (GRAPH, step("visit", at="a"), step("claim", wrong="other", text="Odd.", path=["a"], at="b")),
]

KINDS = [str(lines[-1]["wrong"]) for lines in CLAIMS if isinstance(lines[-1], dict)]


@pytest.mark.parametrize("lines", CLAIMS, ids=KINDS)
def test_what_may_be_claimed_is_the_last_frame(lines: tuple[Line, ...]) -> None:
    beats = [(stage.beat, stage.claim is not None) for stage in frames(parse(printed(*lines)))]
    assert beats[-1] == (Beat.CLAIM, True)
    assert not any(claimed for _, claimed in beats[:-1])


def test_the_walk_of_the_program_takes_the_place_of_the_one_shown() -> None:
    walk = (BOARD, *(step("visit", at=place) for place in ("a1", "c2", "a3")))
    *_, stage = frames(parse(printed(*walk, step("claim", wrong="step", path=["a1", "b3", "c3"]))))
    assert (stage.tour, stage.walked) == (["a1", "b3"], {"a1": 1, "b3": 2, "c3": 3})
