"""What is sent becomes files with safe names, and the file or class to start is found among them."""

import re
from collections.abc import Mapping

from judge.grading.language import Language

_UNSAFE = re.compile(r"[^\w.+-]")
_LONGEST_CLASS = 100
"""Letters of a public class for which a file is named; javac says what is wrong with a longer one."""
_BOM = b"\xef\xbb\xbf"


def laid_out(language: Language, files: Mapping[str, bytes], *, include: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files as they lie in the compiler's box: names made harmless, `include` copied over, no byte order marks."""
    laid: dict[str, bytes] = {}
    if len(files) == 1 and language.suffixes:  # a script is what its name says
        laid[language.source] = next(iter(files.values()))
    else:
        for name, content in files.items():
            laid[_unused(safe_name(name), laid)] = content
    laid = {name: content for name, content in laid.items() if not _clashes(name, include)} | dict(include)
    laid = {name: content.removeprefix(_BOM) for name, content in laid.items()}
    return _as_javac_wants(laid) if language.code == "java" else laid


def sources(language: Language, laid: Mapping[str, bytes]) -> list[str]:
    """The files that are given to the compiler."""
    return [name for name in laid if name.endswith(language.suffixes)]


def entry(language: Language, given: Mapping[str, bytes]) -> str:
    """The file to start: `main`, `__main__` or `index` with the language's ending, else one that looks so, or any."""
    for stem in ("main", "__main__", "index"):
        for suffix in language.suffixes:
            if stem + suffix in given:
                return stem + suffix
    starting = (name for name, content in given.items() if language.starts and language.starts.search(content))
    return next(starting, next(iter(given), ""))


def safe_name(name: str) -> str:
    """`name` as a path that stays in its folder, is no option and holds nothing a program could take amiss."""
    parts = [_UNSAFE.sub("_", part).lstrip(".-") for part in name.replace("\\", "/").split("/")]
    return "/".join(part[:100] for part in parts if part) or "file"


def _unused(name: str, taken: Mapping[str, bytes]) -> str:
    number = 2
    unused = name
    while _clashes(unused, taken):
        unused = f"{number}-{name}"
        number += 1
    return unused


def _clashes(name: str, taken: Mapping[str, bytes]) -> bool:
    """Whether `name` is taken, as a file or as a folder, or would lie in a folder that is a file."""
    return any(name == other or other.startswith(f"{name}/") or name.startswith(f"{other}/") for other in taken)


# Java -----------------------------------------------------------------------------------------------------------------
# javac insists that a file bears the name of its public class; students' files seldom do. What is not closed ends with
# its line or the file, so that each character is looked at once: this runs outside the box.

_JAVA_NOISE = re.compile(
    r"""/\*.*?(?:\*/|\Z) | //[^\n]* | \"\"\".*?(?:\"\"\"|\Z) | "(?:\\.|[^"\\\n])*+"? | '(?:\\.|[^'\\\n])*+'?""",
    re.DOTALL | re.VERBOSE,
)
_JAVA_PUBLIC = re.compile(
    r"\bpublic\s++(?:(?:final|abstract|strictfp|sealed|non-sealed)\s++)*+(?:class|interface|@interface|enum|record)\s+(\w+)"
)


def public_class(source: str) -> str | None:
    """Name of the public class (or interface, enum, record) at the outermost level of a Java source."""
    depth = 0
    outermost: list[str] = []
    for piece in re.split(r"([{}])", _JAVA_NOISE.sub(" ", source)):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
        elif depth == 0:
            outermost.append(piece)
    found = _JAVA_PUBLIC.search("{}".join(outermost))
    return found[1] if found else None


def _as_javac_wants(laid: Mapping[str, bytes]) -> dict[str, bytes]:
    renamed: dict[str, bytes] = {}
    for name, content in laid.items():
        if not name.endswith(".java"):
            renamed[name] = content
            continue
        try:
            text = content.decode()
        except UnicodeDecodeError:
            text = content.decode("latin-1")  # an old editor's comment must not be an error
        folder, _, _ = name.rpartition("/")
        public = public_class(text)
        wanted = f"{public}.java" if public and len(public) <= _LONGEST_CLASS else name.rpartition("/")[2]
        renamed[_unused(f"{folder}/{wanted}" if folder else wanted, renamed)] = text.encode()
    return renamed
