"""Collecting what there is to say to the author of a package."""

from problems.package.model import Finding, Severity


class Findings:
    """Findings in the order in which they were made. `ok` as long as none is an error."""

    def __init__(self) -> None:
        self._all: list[Finding] = []

    @property
    def ok(self) -> bool:
        return not any(one.severity is Severity.ERROR for one in self._all)

    def error(self, where: str, rule: str, message: str) -> None:
        self._add(Severity.ERROR, where, rule, message)

    def warn(self, where: str, rule: str, message: str) -> None:
        self._add(Severity.WARNING, where, rule, message)

    def notice(self, where: str, rule: str, message: str) -> None:
        self._add(Severity.NOTICE, where, rule, message)

    def extend(self, findings: "tuple[Finding, ...] | list[Finding]") -> None:
        self._all.extend(findings)

    def all(self) -> tuple[Finding, ...]:
        return tuple(self._all)

    def _add(self, severity: Severity, where: str, rule: str, message: str) -> None:
        self._all.append(Finding(severity=severity, where=where, rule=rule, message=message))
