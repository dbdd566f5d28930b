"""The table of attacks is whole: every number is there, and every proof and hole that it names exists."""

import ast
import functools
from pathlib import Path

import pytest

from sandbox.contract import Ending
from tests.sandbox.attacks import ATTACKS, NEWER, NOT_SOLVED, PACKAGES, Attack
from tests.sandbox.holes import HOLES
from tests.sandbox.programs import HERE

ROOT = HERE.parents[1]
TRIED = {"nothing_kept", "compile", *Ending}
BY_NAME = {hole.name: hole for hole in HOLES}
ALL = [
    *(pytest.param(attack, id=f"{number} {attack.what}") for number, attack in ATTACKS.items()),
    *(pytest.param(attack, id=name) for name, attack in NEWER.items()),
]


@functools.cache
def functions(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def test_every_number_is_there() -> None:
    assert set(ATTACKS) | PACKAGES | NOT_SOLVED == set(range(1, 71))
    assert not set(ATTACKS) & (PACKAGES | NOT_SOLVED)


@pytest.mark.parametrize("attack", ALL)
def test_every_proof_is_there_and_seen_to_fail(attack: Attack) -> None:
    assert attack.proofs
    for proof in attack.proofs:
        path, _, name = proof.partition("::")
        if name:
            assert name in functions(ROOT / path), proof
        elif path.startswith("legitimate/"):
            assert (HERE / path).is_file(), proof
        else:
            assert (HERE / "hostile" / path).is_file(), proof
            assert path.partition("/")[0] in TRIED, proof
    assert bool(attack.holes) != bool(attack.because)
    here = {proof.removeprefix("tests/sandbox/").replace(".py::", "::") for proof in attack.proofs}
    for hole in attack.holes:
        through = {word.partition("-")[0] if "::" in word else word for word in BY_NAME[hole].through}
        assert here & through, f"{hole} lets none of {attack.proofs} through"


def test_every_hostile_program_stands_in_the_table() -> None:
    named = {proof for attack in (*ATTACKS.values(), *NEWER.values()) for proof in attack.proofs}
    there = {
        str(path.relative_to(HERE / "hostile"))
        for path in (HERE / "hostile").rglob("*")
        if path.is_file() and path.name != "attack.h"
    }
    assert there - named <= EXTRA


EXTRA = {"signalled/8-divide.c", "signalled/13-broken_pipe.c"}
"""Ordinary ends, which the facts must tell apart as well."""
