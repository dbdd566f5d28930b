"""How places are called in sentences."""

from problems.package.replay import Stage
from problems.package.trace import Kind, Names


def name(stage: Stage, place: str) -> str:
    """`(3,2)` where names are coordinates, so that lists of them can be read."""
    coordinates = stage.header.kind != Kind.GRAPH and stage.header.names == Names.XY
    return f"({place})" if coordinates else place
