"""Which of the files that were handed in answers which case, in problems where answers are submitted, not programs."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from judge.grading.job import ReadyCase
from problems.package.model import Limits
from problems.say import say

_ENDINGS = frozenset({".out", ".ans", ".txt"})


def answers_of(files: Mapping[str, bytes], cases: Sequence[ReadyCase]) -> dict[str, bytes]:
    """Name of a case -> the answer handed in for it; a case that has none is left out.

    A file is called like its case (`secret/2-large/07`), with or without its folders from the left and with or without
    the ending `.out`, `.ans` or `.txt`. A single file for a problem with a single secret case may have any name.
    """
    secret = [case.name for case in cases if case.group != "sample"]
    if len(files) == 1 and len(secret) == 1:
        return {secret[0]: next(iter(files.values()))}
    by_name: dict[str, bytes] = {}
    for name, content in files.items():
        path = PurePosixPath(name.replace("\\", "/"))
        by_name.setdefault(str(path.with_suffix("") if path.suffix in _ENDINGS else path), content)
    found: dict[str, bytes] = {}
    short = [case.name.rpartition("/")[2] for case in cases]
    for case in cases:
        parts = case.name.split("/")
        names = ["/".join(parts[first:]) for first in range(len(parts))]
        if short.count(parts[-1]) > 1:  # a bare name that several cases have says nothing, but for a sample's namesake
            twins = [other for other in cases if other.name.endswith(f"/{parts[-1]}") and other.group != "sample"]
            if case.group == "sample" or len(twins) > 1:
                names.pop()
        called = next((name for name in names if name in by_name), None)
        if called is not None:
            found[case.name] = by_name[called]
    return found


def answers_problem(files: Mapping[str, bytes], cases: Sequence[ReadyCase], limits: Limits) -> str | None:
    """Why the files cannot be judged as answers, in a sentence for who handed them in; None when they can."""
    if not any(files.values()):
        return say("said", "There is no answer in it. Choose a file with an answer first.")
    for name, content in files.items():
        if len(content) > limits.output_bytes:
            most = limits.output_bytes >> 20
            return say(
                "said", "“%(name)s” has more than %(most)s MiB, which no right answer has.", name=name[:80], most=most
            )
    if not answers_of(files, cases):
        example = cases[-1].name.removeprefix("secret/") if cases else "1"
        return say(
            "said",
            "None of the files is called like a case of this problem, such as “%(name)s”.",
            name=f"{example}.out",
        )
    return None
