"""Cases that generators.yaml lists and that lie in `data/` as well, as in a package that was exported."""

from collections.abc import Mapping
from pathlib import Path

from problems.package.generators import Listing


def stored_copies(listing: Listing, files: Mapping[str, Path]) -> dict[str, int]:
    """The inputs in `data/` of listed cases which a command makes, or for which another text is listed -> its line."""
    found = {}
    for name, case in sorted(listing.cases.items()):
        stored, said = files.get(f"data/{name}.in"), case.contents.get("in")
        if stored is None or said == stored:
            continue
        if said is None or stored.read_bytes() != (said if isinstance(said, bytes) else said.read_bytes()):
            found[f"data/{name}.in"] = case.line
    return found


def copies_of(listing: Listing, files: Mapping[str, Path]) -> frozenset[str]:
    """All files in `data/` in whose place comes what is listed, once they are gone."""
    found: set[str] = set()
    for name in stored_copies(listing, files):
        case = listing.cases[name.removeprefix("data/").removesuffix(".in")]
        endings = {"in", *case.contents, *(f"files/{below}" for below in case.files)}
        if case.name.partition("/")[0] in ("sample", "secret"):
            endings.add("ans")
        if case.settings is not None:
            endings.add("yaml")
        found |= {f"data/{case.name}.{ending}" for ending in endings}
    found |= {f"data/{folder}/test_group.yaml".replace("//", "/") for folder in listing.groups}
    return frozenset(name for name in found if name in files)
