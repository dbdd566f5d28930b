"""Collecting what there is to say to the author of a package."""

from dataclasses import replace

from problems.package.model import Finding, Severity
from problems.say import say

MAX_FINDINGS = 1_000
"""More are counted, not kept: nobody reads them, and a package may have twenty thousand odd names."""


def escaped(name: str) -> str:
    """A name for people: what is no text in it, or would turn or break the line in which it stands, is escaped."""
    if name.isprintable():
        return name
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def ignored(why: str) -> str:
    """The sentence about a file that means nothing there. `why` may be shown by itself, too."""
    return say("said", "Ignored: %(why)s", why=why)


class Findings:
    """Findings in the order in which they were made. `ok` as long as none is an error."""

    def __init__(self) -> None:
        self._all: list[Finding] = []
        self._left_out = 0
        self.ok = True

    def error(self, where: str, rule: str, message: str) -> None:
        self.add(Finding(severity=Severity.ERROR, where=where, rule=rule, message=message))

    def warn(self, where: str, rule: str, message: str) -> None:
        self.add(Finding(severity=Severity.WARNING, where=where, rule=rule, message=message))

    def notice(self, where: str, rule: str, message: str) -> None:
        self.add(Finding(severity=Severity.NOTICE, where=where, rule=rule, message=message))

    def add(self, finding: Finding) -> None:
        finding = replace(finding, where=escaped(finding.where))
        first_error = self.ok and finding.severity is Severity.ERROR
        self.ok = self.ok and not first_error
        if len(self._all) < MAX_FINDINGS or first_error:
            self._all.append(finding)
        else:
            self._left_out += 1

    def all(self) -> tuple[Finding, ...]:
        if not self._left_out:
            return tuple(self._all)
        more = say("said", "There are %(left_out)s more findings: mend these first.", left_out=f"{self._left_out:,}")
        return (*self._all, Finding(severity=Severity.NOTICE, where="", rule="more", message=more))
