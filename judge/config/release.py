"""Which code this is, so that a site can tell whether its hosts run the same."""

import hashlib
import tomllib
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_SOURCES = ("judge", "problems", "sandbox")


@cache
def release() -> str:
    """The version, and the beginning of a digest of what judges: `0.1.0+3fa9c1d2`."""
    version = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    total = hashlib.sha256()
    for room in _SOURCES:
        files = (file for ending in ("py", "c", "java") for file in (_ROOT / room).rglob(f"*.{ending}"))
        for file in sorted(file for file in files if "catalog" not in file.parts):
            total.update(f"{file.relative_to(_ROOT)}\0".encode() + file.read_bytes())
    return f"{version}+{total.hexdigest()[:8]}"
