"""`./palfrey strength SLUG`: how many programs with a mistake do the cases of a package find out?"""

import sys
from argparse import ArgumentParser
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from judge.grading.build import BuildFailed
from judge.grading.check import CheckerBroken
from judge.grading.strength.measure import CannotMeasure, Fate, Progress, Strength, Tried, Wishes, measure_strength
from judge.grading.strength.suggest import Suggestion
from judge.management.by_hand import cases_of, package_called, workshop_of_this_machine
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault

_SHOWN_LINES = 12


class Command(BaseCommand):
    help = "Put small mistakes into a right solution, say which of them no test case finds out, and suggest new cases."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        wishes = Wishes()
        parser.add_argument("slug", help="a problem of the catalog, or a folder")
        parser.add_argument("--mutants", type=int, default=wishes.mutants, help="how many are made (60)")
        parser.add_argument(
            "--budget", type=float, default=wishes.suggest_seconds, help="CPU seconds to look for new cases (20)"
        )
        parser.add_argument("--seed", type=int, default=wishes.seed, help="for other mutants and other inputs (1)")
        parser.add_argument("--of", default="", help="the accepted solution to put mistakes into, such as bfs.py")

    def handle(self, *_: Any, slug: str, mutants: int, budget: float, seed: int, of: str, **__: Any) -> None:
        package = package_called(slug)
        wishes = Wishes(mutants=mutants, seed=seed, suggest_seconds=budget, solution=of)
        try:
            with closing(open_sandbox(settings.PALFREY_CACHE / "sandbox", pinned=True, laptop=settings.LAPTOP)) as box:
                cases = cases_of(package, box)
                for step in measure_strength(package, cases, box, workshop_of_this_machine(), wishes):
                    match step:
                        case Progress():
                            self._now(f"{step.done} of {step.total}: {step.what}")
                        case Strength():
                            self._now("")
                            self._show(step)
        except (BuildFailed, CannotMeasure, CheckerBroken, SandboxFault) as error:
            raise CommandError(str(error), returncode=2) from error

    def _show(self, strength: Strength) -> None:
        suggested = {one.mutant: one for one in strength.suggestions}
        for one in strength.tried:
            mutant = one.mutant
            where = f"{mutant.name}:{mutant.line}" if mutant.line else mutant.name
            self.stdout.write(f"{one.fate.replace('_', ' '):15} {where:36} {mutant.said}".rstrip())
            if by := _by(one):
                self.stdout.write(f"{'':15} {by}")
        for one in strength.survivors:
            self._survivor(one, suggested.get(one.mutant.id))
        self._sum(strength)

    def _survivor(self, one: Tried, suggestion: Suggestion | None) -> None:
        self.stdout.write(
            f"\nNo case finds out {one.mutant.name}{f', line {one.mutant.line}' * bool(one.mutant.line)}:"
        )
        self.stdout.write(one.mutant.diff)
        if suggestion is None:
            self.stdout.write("No input was found on which it is wrong: it may be equivalent to the right solution.")
            return
        made = f"`{suggestion.command}`" if suggestion.command else f"{suggestion.like}, changed"
        self.stdout.write(f"A case to add ({suggestion.verdict.replace('_', ' ')} there), from {made}:")
        lines = suggestion.shown.splitlines()
        for line in lines[:_SHOWN_LINES]:
            self.stdout.write(f"    {line[:200]}")
        if len(lines) > _SHOWN_LINES or len(suggestion.input) > len(suggestion.shown.encode()):
            self.stdout.write(f"    … ({len(suggestion.input)} bytes)")

    def _sum(self, strength: Strength) -> None:
        score, killed, survived = strength.score, strength.killed, len(strength.survivors)
        self.stdout.write("")
        if score is None:
            self.stdout.write("There was no mutant to try.")
            return
        by_time = strength.count(Fate.KILLED_BY_TIME)
        self.stdout.write(
            f"{killed} of {killed + survived} mutants are found out ({score:.0%}), {by_time} of them only by a limit."
            + " Of those that are not, some may be equivalent to the right solution." * bool(survived)
        )
        left_out = {
            fate: strength.count(fate) for fate in (Fate.EQUIVALENT, Fate.NOT_COMPILED, Fate.NOT_TRIED, Fate.FAULT)
        }
        for fate, count in left_out.items():
            if count:
                self.stdout.write(f"Not counted: {count} {fate.replace('_', ' ')}.")
        smallest = strength.smallest
        sure = "the fewest that" if smallest.exact else "a small set that (there may be a smaller one)"
        self.stdout.write(
            f"Cases that are {sure} find out as many: {', '.join(smallest.cases)} ({len(smallest.cases)})."
        )
        if strength.adds_nothing:
            self.stdout.write(
                f"{len(strength.adds_nothing)} of {len(strength.cases)} cases find out nothing that no other does."
            )
        if survived:
            searched = strength.searched
            self.stdout.write(
                f"New inputs looked at: {searched.valid}, in {searched.cpu_seconds:.0f} s of CPU; "
                f"new cases: {len(strength.suggestions)}."
            )
        if strength.disagreement:
            found = strength.disagreement
            made = found.command or f"{found.like}, changed"
            self.stdout.write(f"BUT {strength.solution} is not accepted on {made}: {found.note}\n{found.shown[:500]}")

    def _now(self, what: str) -> None:
        if sys.stderr.isatty():
            self.stderr.write(f"\r{what[:110]}\x1b[K", ending="")


def _by(one: Tried) -> str:
    """Who found it out, in one line."""
    killers = one.killers
    if one.notes:
        name, note = next(iter(one.notes.items()))
        return f"THE CHECKER FAILED on {name}: {' '.join(note.split())[:150]}"
    if not killers:
        return ""
    more = f" and {len(killers) - 3} more" if len(killers) > 3 else ""
    return f"by {', '.join(killers[:3])}{more} (of {len(one.verdicts)} run)"
