"""Lists, cut: so many rows, and from where the next ones are asked for. No list grows without bound."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

from django.db.models import QuerySet
from pydantic import Field

NO_NUL = r"^[^\x00]*$"
SHORT_NAME = r"^[a-zA-Z0-9_-]*$"

Limit = Annotated[int, Field(ge=1, le=100, description="How many are given at most.")]
Number = Annotated[int, Field(ge=1, le=(1 << 60))]
"""The id of a row."""
After = Annotated[int | None, Field(ge=0, le=(1 << 60), description="`next` of the part before.")]
AfterName = Annotated[str, Field(max_length=150, pattern=NO_NUL, description="`next` of the part before.")]
Text = Annotated[str, Field(pattern=NO_NUL)]
"""No database keeps a NUL in a text."""


def cut(
    rows: QuerySet[Any, Any], key: str, after: int | str | None, limit: int, *, newest_first: bool = False
) -> tuple[Sequence[Any], Any]:
    """At most `limit` of `rows` in the order of `key`, which no two share, beyond `after`; and what to ask for next."""
    if after not in (None, ""):
        rows = rows.filter(**{f"{key}__{'lt' if newest_first else 'gt'}": after})
    found = list(rows.order_by(f"-{key}" if newest_first else key)[: limit + 1])
    if len(found) <= limit:
        return found, None
    last: Any = found[limit - 1]
    for part in key.split("__"):
        last = getattr(last, part)
    return found[:limit], last


def told(rows: Iterable[Any], following: Any, tell: Callable[[Any], Any]) -> dict[str, Any]:
    """A part of a list as it is answered."""
    return {"items": [tell(one) for one in rows], "next": following}
