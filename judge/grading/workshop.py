"""What makes compiling fast and changes nothing of what comes of it; handed in by whoever judges."""

from dataclasses import dataclass, field

from judge.grading.ahead import MadeAhead
from judge.grading.kept import Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Both are optional: without them, and whenever their disks fail, the compiler only works longer."""

    kept: Kept = field(default_factory=Kept)
    """What was compiled before."""
    ahead: MadeAhead | None = None
    """What was made ahead on this host."""


PLAIN = Workshop()
"""Nothing made ahead, and what was compiled before only of this process."""
