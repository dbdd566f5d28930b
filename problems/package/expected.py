"""What example submissions of the older formats must get: by their folders, by `@EXPECTED_RESULTS@` in their text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from problems.package.draft import Draft
from problems.package.findings import Findings, ignored
from problems.package.submissions import ANY, DEFAULTS, OURS, WHERE
from problems.package.tree import Tree, head, why_absent
from problems.say import say

_MOST_BYTES = 1 << 20
"""Of a file, so much is searched for tags."""
_TAG = re.compile(rb"@EXPECTED_(RESULTS|SCORE)@: ([^\n]*)", re.IGNORECASE)
_PYTHON_2 = re.compile(rb"^#!.*python2")
_FOLDERS: Mapping[str, tuple[str, ...]] = {
    "accepted": ("AC",),
    "slow_accepted": ("AC", "TLE"),
    "wrong_answer": ("AC", "WA"),
    "no_output": ("AC", "WA"),
    "output_limit": ("AC", "WA"),
    "time_limit_exceeded": ("AC", "WA", "TLE"),
    "run_time_error": ("AC", "WA", "TLE", "RTE"),
    "compiler_error": ("CE",),
    "compile_error": ("CE",),
}
"""What each case of a program in these folders may get; it must get the last of them once."""
_RESULTS = {
    "CORRECT": "AC",
    "ACCEPTED": "AC",
    "WRONG-ANSWER": "WA",
    "NO-OUTPUT": "WA",
    "OUTPUT-LIMIT": "WA",
    "TIMELIMIT": "TLE",
    "TIME-LIMIT-EXCEEDED": "TLE",
    "RUN-ERROR": "RTE",
    "RUN-TIME-ERROR": "RTE",
    "MEMORY-LIMIT": "RTE",
    "COMPILER-ERROR": "CE",
    "CHECK-MANUALLY": "",
}
_SEVERAL = say("part", "it has several tags of what is expected, and nobody knows which holds.")
_MANUALLY = {"permitted": sorted(ANY | {"CE"}), "required": sorted(ANY)}
"""For people to look at."""
_PARTLY = ("partially_accepted", "partial")
_ANYTHING: dict[str, Any] = {"permitted": sorted(ANY), "required": sorted(ANY)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tagged:
    """What the tags in a program say. `several`: they contradict each other, and it is left out."""

    letters: tuple[str, ...] | None = None
    score: Decimal | None = None
    several: bool = False
    python_2: bool = False


def for_domjudge(tree: Tree) -> bool:
    """Whether a package was written for DOMjudge, which takes some things its own way: it has files or tags of it."""
    if any(name in tree.files for name in (".timelimit", "domjudge-problem.ini")):
        return True
    return any(_TAG.search(head(path, _MOST_BYTES)) for path in tree.under("submissions").values())


def put_submissions(tree: Tree, draft: Draft, findings: Findings, *, scoring: bool, highest: Fraction | None) -> None:
    """Put every example with what it must get. `highest`: the most points there are, None without bound."""
    rules: dict[str, dict[str, Any]] = {}
    languages: dict[str, str] = {}
    for folder in tree.entries("submissions"):
        if f"submissions/{folder}" in tree.files:
            if folder == "submissions.yaml":
                draft.put(WHERE, tree.files[WHERE], origin=WHERE)
            else:
                draft.ignored[f"submissions/{folder}"] = say("part", "it lies in no folder that says what it must get.")
            continue
        if rule := _folder_rule(folder, scoring=scoring, highest=highest):
            rules[folder] = rule
        for entry in tree.entries(f"submissions/{folder}"):
            called = f"{folder}/{_as_name(entry)}"
            tagged = _put_program(tree, draft, f"submissions/{folder}/{entry}", f"submissions/{called}")
            if tagged is None:
                continue
            if called != f"{folder}/{entry}":
                findings.notice(
                    f"submissions/{folder}/{entry}",
                    "renamed",
                    say("said", "Is called `%(called)s` now, by the rules for names.", called=called),
                )
            if tagged.several:
                findings.warn(f"submissions/{folder}/{entry}", "ignored", ignored(_SEVERAL))
            elif rule := _tag_rule(
                tagged, rules.get(folder) or _default_rule(folder), scoring=scoring, highest=highest
            ):
                rules[called] = rule
            if tagged.python_2:
                languages[called] = "python2"
    if WHERE not in tree.files:  # the author's own word goes before what folders mean
        _put_rules(draft, rules, languages)


def _as_name(entry: str) -> str:
    """A name for a program as the format allows it; names that start with a dot stay, and are left out."""
    if entry.startswith("."):
        return entry
    return re.sub(r"[^a-zA-Z0-9_.-]", "_", re.sub(r"\.c\+\+$", "_cxx.cc", entry)).lstrip("-")


def _put_program(tree: Tree, draft: Draft, name: str, called: str) -> _Tagged | None:
    """Put the files of a program as `called`; gives what its tags say, and None when it is no part of the package."""
    files = [name] if name in tree.files else [f"{name}/{below}" for below in tree.under(name)]
    if reason := next(filter(None, map(why_absent, called.split("/"))), ""):
        draft.ignored |= dict.fromkeys(files, reason.removeprefix("Ignored: "))
        return None
    tagged = _tags([head(tree.files[one], _MOST_BYTES) for one in files])
    if tagged.several:
        draft.ignored |= dict.fromkeys(files, _SEVERAL)
        return tagged
    for one in files:
        below = one[len(name) :]
        if reason := next(filter(None, map(why_absent, below.split("/")[1:])), ""):
            draft.ignored[one] = reason.removeprefix("Ignored: ")
        else:
            draft.put(called + below, tree.files[one], origin=one)
    return tagged


def _put_rules(draft: Draft, rules: Mapping[str, dict[str, Any]], languages: Mapping[str, str]) -> None:
    """Put the rules where each may stand: those that speak of compile errors into our own folder."""
    tagged = {name for name in rules if "/" in name}
    said = {name: rules[name] for name in tagged}
    for folder in {name.partition("/")[0] for name in tagged}:
        # The rules of a folder and of a file in it must both hold: where tags speak, each file gets a rule of its own.
        rule = rules.get(folder) or _default_rule(folder)
        said |= {one: rule for one in _entries(draft, folder) if one not in tagged and rule != _ANYTHING}
        said[folder] = _ANYTHING
    said = {name: rule for name, rule in rules.items() if "/" not in name} | said
    theirs = {name: dict(rule) for name, rule in sorted(said.items()) if "CE" not in rule["permitted"]}
    for name, language in languages.items():
        theirs.setdefault(name, {})["language"] = language
    draft.put_yaml(WHERE, theirs)
    draft.put_yaml(OURS, {name: rule for name, rule in sorted(said.items()) if "CE" in rule["permitted"]})


def _default_rule(folder: str) -> dict[str, Any]:
    """What 2025-09 means by a folder, said in full."""
    default = DEFAULTS.get(folder)
    if default is None:
        return _ANYTHING
    return {"permitted": sorted(default.permitted), "required": sorted(default.required)}


def _entries(draft: Draft, folder: str) -> list[str]:
    start = f"submissions/{folder}/"
    return sorted(
        {f"{folder}/{name[len(start) :].partition('/')[0]}" for name in draft.files if name.startswith(start)}
    )


def _folder_rule(folder: str, *, scoring: bool, highest: Fraction | None) -> dict[str, Any] | None:
    """What a folder says; None when 2025-09 means the same by it, or nothing is known of it."""
    if folder in _PARTLY and scoring:
        most = Decimal(float(highest) if highest is not None else 10**9)
        return {**_ANYTHING, "score": [0, most - Decimal("0.000001")]}
    if folder == "check_manually":
        return _MANUALLY
    if folder not in _FOLDERS:
        return None if folder in DEFAULTS else _ANYTHING
    permitted = _FOLDERS[folder]
    if folder in DEFAULTS and set(permitted) == set(DEFAULTS[folder].permitted):
        return None
    required = {} if "AC" in permitted[-1:] or folder == "slow_accepted" else {"required": [permitted[-1]]}
    return {"permitted": list(permitted), **required}


def _tags(texts: Sequence[bytes]) -> _Tagged:
    letters: set[str] | None = None
    score: Decimal | None = None
    for text in texts:
        found: set[bytes] = set()
        for kind, words in _TAG.findall(text):
            if kind.upper() in found:
                return _Tagged(several=True)
            found.add(kind.upper())
            said = words.decode("utf-8", "replace").strip()
            if kind.upper() == b"SCORE" and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", said):
                if score is not None:
                    return _Tagged(several=True)
                score = Decimal(said)
                continue
            named = {_RESULTS.get(one.strip().upper().replace("_", "-")) for one in said.split(",")}
            if letters is not None:
                return _Tagged(several=True)
            if None not in named:
                letters = {one or "" for one in named}
    return _Tagged(
        letters=None if letters is None else tuple(sorted(letters)),
        score=score,
        python_2=any(_PYTHON_2.match(text) for text in texts),
    )


def _tag_rule(
    tagged: _Tagged, folder: dict[str, Any], *, scoring: bool, highest: Fraction | None
) -> dict[str, Any] | None:
    """What the tags of one program say, as a rule of submissions.yaml. `folder`: the rule of the folder it lies in."""
    score = {} if tagged.score is None or not scoring else {"score": _around(tagged.score)}
    if tagged.letters is None:
        return {**folder, **score} if score else None
    letters = set(tagged.letters)
    if "" in letters:
        return {**_MANUALLY, **score}
    if score and letters == {"AC"} and tagged.score != highest:  # accepted for a part of the points
        return {**_ANYTHING, **score}
    if "CE" in letters:
        return {"permitted": sorted(letters | ({"AC"} if letters - {"CE"} else set()))}
    required = {} if "AC" in letters else {"required": sorted(letters)}
    # A tag names the verdict of the whole. Where points are given, judging goes on, and other cases may get others.
    return {"permitted": sorted(ANY if scoring and required else letters | {"AC"}), **required, **score}


def _around(score: Decimal) -> Decimal | list[Decimal]:
    """The scores that are written as `score` when they are rounded to its digits; a whole number is meant exactly."""
    exponent = score.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= 0:
        return score
    half = Decimal(5).scaleb(exponent - 1)
    return [score - half, score + half]
