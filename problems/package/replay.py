"""What a trace looks like, frame by frame: the model of the player, and the rules that a trace must keep.

A frame is what a reader sees at one time. Steps that belong together (all that one place finds) make one frame.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from problems.package.claim import Claim, Wrong, doubt, open_sides
from problems.package.trace import (
    Back,
    Count,
    Dequeue,
    Enqueue,
    Flood,
    Header,
    Jump,
    Kind,
    Layer,
    Meet,
    NoPath,
    Note,
    Path,
    Retrace,
    See,
    Step,
    Trace,
    Visit,
    Ways,
)
from problems.package.trace_line import TraceFault
from problems.say import say

MAX_COUNTERS = 8


class Beat(StrEnum):
    """What happens in a frame. Lines of code that are shown beside it are marked with these words."""

    START = "start"
    LAYER = "layer"
    TAKE = "take"
    LOOK = "look"
    FLOOD = "flood"
    MEET = "meet"
    RETRACE = "retrace"
    PATH = "path"
    NO_PATH = "no-path"
    WAYS = "ways"
    VISIT = "visit"
    BACK = "back"
    JUMP = "jump"
    NOTE = "note"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Found:
    """A place that a search has reached."""

    distance: int
    parent: str
    side: int


@dataclass(slots=True)
class Stage:
    """What stands on the board now."""

    header: Header
    beat: Beat = Beat.START
    found: dict[str, Found] = field(default_factory=dict)
    queues: tuple[deque[str], deque[str]] = field(default_factory=lambda: (deque(), deque()))
    current: str = ""
    side: int = 0
    layers: list[int] = field(default_factory=lambda: [0, 0])
    """Of each side, the layer that it is in."""
    taken: set[str] = field(default_factory=set)
    """Places that have left the queues."""
    fresh: list[str] = field(default_factory=list)
    """Found in this frame."""
    seen: list[str] = field(default_factory=list)
    """Looked at again in this frame."""
    met: str = ""
    path: tuple[str, ...] = ()
    """The whole way, from start to goal."""
    trail: list[str] = field(default_factory=list)
    """The way back so far, from the goal."""
    tour: list[str] = field(default_factory=list)
    """Where the walk stands, from its beginning; the squares in it are `walked`."""
    walked: dict[str, int] = field(default_factory=dict)
    """Place of the walk -> its number, from 1."""
    ways: dict[str, int] = field(default_factory=dict)
    pick: str = ""
    visits: int = 0
    backs: int = 0
    left: str = ""
    """Where a step back came from."""
    counts: dict[str, int] = field(default_factory=dict)
    note: str = ""
    claim: Claim | None = None
    """What the program said whose output is looked at."""
    touched: set[str] = field(default_factory=set)
    """Places that may look different from the frame before."""


def frames(trace: Trace) -> Iterator[Stage]:
    """The stage at each frame. It is one and the same object, which goes on changing: read it before the next.

    Raises `TraceFault` where a step cannot happen: what leaves the queue is not its front, a place is found twice,
    distances or layers fall, a way goes where no step has led.
    """
    stage = Stage(trace.header)
    player = _Player(stage)
    lines = trace.lines or tuple(range(2, len(trace.steps) + 2))
    opened: Beat | None = None
    for step, line in zip(trace.steps, lines, strict=True):
        beat = _beat(step, opened)
        if beat is not None and opened is not None and not (beat == opened and beat in (Beat.LOOK, Beat.START)):
            stage.beat = opened
            yield stage
            player.clear()
        if stage.claim is not None:
            raise TraceFault(line, say("said", "Nothing comes after a claim."))
        try:
            player.apply(step)
        except _WrongStep as wrong:
            raise TraceFault(line, str(wrong)) from None
        opened = beat or opened
    if opened is not None:
        stage.beat = opened
        yield stage


_BEATS: Mapping[type[Step], Beat] = {
    See: Beat.LOOK,
    Dequeue: Beat.TAKE,
    Layer: Beat.LAYER,
    Flood: Beat.FLOOD,
    Meet: Beat.MEET,
    Retrace: Beat.RETRACE,
    Path: Beat.PATH,
    NoPath: Beat.NO_PATH,
    Ways: Beat.WAYS,
    Visit: Beat.VISIT,
    Back: Beat.BACK,
    Jump: Beat.JUMP,
    Note: Beat.NOTE,
    Claim: Beat.CLAIM,
}


def _beat(step: Step, opened: Beat | None) -> Beat | None:
    """The kind of frame that a step belongs to; None: to the one that is open."""
    if isinstance(step, Enqueue):
        return Beat.LOOK if step.parent else Beat.START
    if isinstance(step, Count):
        return None if opened is not None else Beat.NOTE
    return _BEATS[type(step)]


class _WrongStep(Exception):
    pass


class _Player:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.near = {frozenset(edge) for edge in stage.header.edges}
        """Pairs of places between which a step has led."""
        self.squares = {at: name for name, at in stage.header.places.items()}

    def clear(self) -> None:
        """What holds for one frame only is over."""
        stage = self.stage
        stage.touched = {*stage.fresh, *stage.seen, *stage.ways, stage.met, stage.left} - {""}
        stage.fresh, stage.seen, stage.ways = [], [], {}
        stage.met = stage.pick = stage.left = stage.note = ""

    def apply(self, step: Step) -> None:
        stage = self.stage
        match step:
            case Enqueue():
                self.enqueue(step)
            case Dequeue():
                self.dequeue(step)
            case See(at=at) | Meet(at=at):
                self.look_again(at, met=isinstance(step, Meet))
            case Layer(distance=distance, side=side):
                self.layer(distance, side)
            case Flood():
                self.flood(step)
            case Retrace(at=at):
                self.retrace(at)
            case Path(places=places):
                self.path(places)
            case NoPath():
                self.no_path()
            case Count(name=name, value=value):
                stage.counts[name] = value
                if len(stage.counts) > MAX_COUNTERS:
                    raise _WrongStep(say("said", "There are more than %(most)s counters.", most=MAX_COUNTERS))
            case Note(text=text):
                stage.note = text
            case _:
                self.walk(step)

    def walk(self, step: Ways | Visit | Back | Jump | Claim) -> None:
        stage = self.stage
        match step:
            case Claim():
                self.claim(step)
            case Ways(of=of, pick=pick):
                if any(place in stage.walked for place in of):
                    raise _WrongStep(say("said", "A place that was visited cannot be visited next."))
                if pick and (pick not in of or of[pick] > min(of.values())):
                    raise _WrongStep(say("said", "%(pick)s does not have the fewest ways.", pick=pick))
                stage.ways, stage.pick = dict(of), pick
                stage.touched |= set(of)
            case Visit(at=at):
                if at in stage.walked:
                    raise _WrongStep(say("said", "%(at)s has been visited already.", at=at))
                stage.touched |= {at, *stage.tour[-1:]}
                stage.tour.append(at)
                stage.walked[at] = len(stage.tour)
                stage.visits += 1
            case Back(at=at):
                if not stage.tour or stage.tour[-1] != at:
                    raise _WrongStep(say("said", "%(at)s is not where the walk stands.", at=at))
                stage.tour.pop()
                del stage.walked[at]
                stage.touched |= {at, *stage.tour[-1:]}
                stage.backs, stage.left = stage.backs + 1, at
            case Jump():
                self.jump(step)

    def jump(self, step: Jump) -> None:
        stage = self.stage
        if len(set(step.tour)) < len(step.tour) or step.visits - step.backs != len(step.tour):
            raise _WrongStep(
                say("said", "A place stands twice in the walk, or its length is not visits less steps back.")
            )
        if step.visits < stage.visits or step.backs < stage.backs:
            raise _WrongStep(say("said", "A counter falls."))
        stage.touched |= {*stage.tour, *step.tour}
        stage.tour = list(step.tour)
        stage.walked = {place: number for number, place in enumerate(step.tour, 1)}
        stage.visits, stage.backs = step.visits, step.backs

    def dequeue(self, step: Dequeue) -> None:
        stage, queue = self.stage, self.stage.queues[step.side]
        if not queue or queue[0] != step.at:
            there = (
                say(
                    "said",
                    "%(at)s cannot be taken: %(front)s is at the front of the queue.",
                    at=step.at,
                    front=queue[0],
                )
                if queue
                else say("said", "%(at)s cannot be taken: nothing is at the front of the queue.", at=step.at)
            )
            raise _WrongStep(there)
        if stage.found[step.at].distance < stage.layers[step.side]:
            raise _WrongStep(
                say(
                    "said",
                    "%(at)s cannot be taken: layer %(layer)s has begun.",
                    at=step.at,
                    layer=stage.layers[step.side],
                )
            )
        queue.popleft()
        stage.touched |= {stage.current, step.at} - {""}
        stage.current, stage.side = step.at, step.side
        stage.taken.add(step.at)

    def look_again(self, at: str, *, met: bool) -> None:
        stage = self.stage
        self.known(at)
        if not stage.current:
            raise _WrongStep(say("said", "There is no current place from which to look."))
        self.near.add(frozenset((stage.current, at)))
        stage.touched.add(at)
        if not met:
            stage.seen.append(at)
            return
        if stage.found[at].side == stage.side:
            raise _WrongStep(say("said", "%(at)s was not found by the other side.", at=at))
        stage.met = at

    def layer(self, distance: int, side: int) -> None:
        stage = self.stage
        if distance < stage.layers[side]:
            raise _WrongStep(
                say(
                    "said",
                    "Layer %(layer)s cannot come after layer %(before)s.",
                    layer=distance,
                    before=stage.layers[side],
                )
            )
        stage.touched |= {stage.current} - {""}
        stage.current, stage.side = "", side
        stage.layers[side] = distance

    def enqueue(self, step: Enqueue) -> None:
        stage = self.stage
        if step.at in stage.found:
            raise _WrongStep(say("said", "%(at)s was found before: a place goes into the queue once.", at=step.at))
        if step.parent:
            self.known(step.parent)
            if step.parent != stage.current:
                raise _WrongStep(say("said", "%(parent)s is not the current place.", parent=step.parent))
            parent = stage.found[step.parent]
            if parent.side != step.side:
                raise _WrongStep(say("said", "%(parent)s belongs to the other side.", parent=step.parent))
            if step.distance != parent.distance + 1:
                raise _WrongStep(
                    say(
                        "said",
                        "%(at)s must have the distance of %(parent)s and one more.",
                        at=step.at,
                        parent=step.parent,
                    )
                )
        elif step.distance:
            raise _WrongStep(say("said", "%(at)s has no place before it: its distance must be 0.", at=step.at))
        queue = stage.queues[step.side]
        if queue and stage.found[queue[-1]].distance > step.distance:
            raise _WrongStep(say("said", "Distances in the queue may only grow from front to back."))
        self.near.add(frozenset((step.parent, step.at)))
        stage.found[step.at] = Found(step.distance, step.parent, step.side)
        queue.append(step.at)
        stage.fresh.append(step.at)
        stage.touched.add(step.at)

    def flood(self, step: Flood) -> None:
        for layer in step.layers:
            self.pour(layer)

    def pour(self, layer: tuple[str, ...]) -> None:
        """All that can be reached from the layer that waits, and nothing else, is found at once."""
        stage, queue = self.stage, self.stage.queues[0]
        distance = stage.layers[0] + 1
        if stage.header.kind != Kind.GRID:
            raise _WrongStep(say("said", "Only a grid can be flooded: its walls say what a layer leads to."))
        if not stage.found:
            if len(layer) != 1 or layer[0] != (stage.header.start or layer[0]):
                raise _WrongStep(say("said", "The first layer is the start alone."))
            wanted, distance = {layer[0]: ""}, 0
        else:
            led = [(place, other) for place in queue for other in open_sides(stage.header, self.squares, place)]
            self.near.update(map(frozenset, led))
            wanted = {other: place for place, other in reversed(led) if other not in stage.found}
        if sorted(layer) != sorted(wanted):
            wrong = min({*wanted} ^ {*layer}, default=say("part", "a place twice"))
            raise _WrongStep(
                say(
                    "said",
                    "Layer %(layer)s is not all that layer %(before)s leads to: look at %(place)s.",
                    layer=distance,
                    before=distance - 1,
                    place=wrong,
                )
            )
        stage.taken.update(queue)
        stage.found |= {place: Found(distance, wanted[place], 0) for place in layer}
        stage.queues[0].clear()
        stage.queues[0].extend(layer)
        stage.touched |= {*layer, stage.current} - {""}
        stage.current, stage.side, stage.layers[0] = "", 0, distance if layer else distance - 1
        stage.fresh += layer

    def retrace(self, at: str) -> None:
        stage = self.stage
        self.known(at)
        if not stage.trail and at != (stage.header.goal or at):
            raise _WrongStep(say("said", "The way back begins at the goal."))
        if stage.trail:
            before = stage.trail[-1]
            if frozenset((before, at)) not in self.near or stage.found[at].distance != stage.found[before].distance - 1:
                raise _WrongStep(say("said", "The way back cannot go from %(before)s to %(at)s.", before=before, at=at))
        stage.touched |= {at, stage.current, *stage.trail[-1:]} - {""}
        stage.current = at
        stage.trail.append(at)

    def claim(self, claim: Claim) -> None:
        stage = self.stage
        doubted = doubt(claim, stage, self.near)
        if doubted:
            raise _WrongStep(say("said", "This cannot be claimed.") + f" {doubted}")
        stage.claim = claim
        stage.touched |= {*claim.path, *claim.at, *stage.walked, *stage.tour[-1:], stage.current} - {""}
        if stage.visits and claim.path:  # any walk may be right: the program's takes the place of the one shown
            stage.tour = list(claim.path[:-1] if claim.wrong in (Wrong.STEP, Wrong.TWICE) else claim.path)
            stage.walked = {place: number for number, place in reversed([*enumerate(claim.path, 1)])}

    def known(self, place: str) -> None:
        if place not in self.stage.found:
            raise _WrongStep(say("said", "%(place)s has not been found yet.", place=place))

    def no_path(self) -> None:
        if any(self.stage.queues) or self.stage.header.goal in self.stage.found:
            raise _WrongStep(say("said", "It is not sure yet that there is no path: the queue is not empty."))

    def path(self, places: tuple[str, ...]) -> None:
        stage, header = self.stage, self.stage.header
        if not places or places[0] != (header.start or places[0]) or places[-1] != (header.goal or places[-1]):
            raise _WrongStep(say("said", "A path leads from the start to the goal."))
        for here, there in pairwise(places):
            if frozenset((here, there)) not in self.near:
                raise _WrongStep(say("said", "No step has led from %(here)s to %(there)s.", here=here, there=there))
        stage.path = places
        stage.touched |= {*places, stage.current} - {""}
