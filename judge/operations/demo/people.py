"""Who is in the course. Nobody is called so: the names are made of given names and of words from chess."""

GIVEN = (
    "Ada", "Bruno", "Clara", "Dario", "Edda", "Florin", "Greta", "Hugo", "Ilinca", "Jonas", "Kamila", "Leon", "Mara",
    "Nils", "Olivia", "Pavel", "Quirin", "Rosa", "Silvan", "Tilda", "Umberto", "Vera", "Wim", "Xenia", "Yorick",
)  # fmt: skip
FAMILY = (
    "Pawnsworth", "Rookwell", "Castleton", "Queensby", "Gambitsky", "Checkmann", "Bishopescu", "Knightley-Fork",
    "Enpassant", "Zugzwanger", "Fianchetti", "Tempowitz",
)  # fmt: skip

INSTRUCTOR = "demo-instructor"
ASSISTANTS = ("demo-assistant-1", "demo-assistant-2")
SECTIONS = ("Monday", "Thursday")
MOST = len(GIVEN) * len(FAMILY)
"""Students of different names that there can be."""


def student(number: int) -> str:
    """The name by which student `number` (from 1) signs in."""
    return f"demo-student-{number:02}"


def name(number: int) -> tuple[str, str]:
    """Given and family name of person `number`; no two of the first `MOST` are called the same."""
    turn, at = divmod(number, len(GIVEN))
    return GIVEN[at], FAMILY[(at + 5 * turn) % len(FAMILY)]
