"""Text as every database takes it. What programs print is bytes until it is shown, and may hold anything."""

NUL = "\N{SYMBOL FOR NULL}"


def storable(text: str, limit: int) -> str:
    """`text` without what PostgreSQL cannot hold (NUL, lone surrogates), at most `limit` characters long."""
    clean = text.replace("\0", NUL).encode("utf-8", "replace").decode("utf-8")
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def shown(content: bytes | memoryview) -> str:
    """Bytes of a program or compiler as text: what is not UTF-8 becomes U+FFFD, a NUL the sign for it."""
    return bytes(content).decode("utf-8", "replace").replace("\0", NUL)


def as_text(content: bytes) -> str:
    """Bytes of a student as text: line ends made equal, no byte-order mark, what cannot be read as U+FFFD."""
    text = content.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
