"""Which cases are needed: small ones by hand, others against trying all sets."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from judge.grading.strength.killing import adding_nothing, smallest_set


def test_the_smallest_set_is_smaller_than_a_greedy_one() -> None:
    # Greedy takes b and c on the way, and no mutant or case can be left out of the account beforehand.
    pairs = ("ab", "ac", "ad", "af", "bd", "be", "ce", "df")
    found = smallest_set("abcdef", dict(zip("12345678", pairs, strict=True)))
    assert (found.cases, found.exact) == (("a", "d", "e"), True)


def test_among_cases_that_do_the_same_the_first_is_taken() -> None:
    assert smallest_set(["dear", "cheap"], {"m": {"cheap", "dear"}}).cases == ("dear",)
    assert smallest_set(["cheap", "dear"], {"m": {"cheap", "dear"}}).cases == ("cheap",)


def test_survivors_need_no_case() -> None:
    assert smallest_set("ab", {"m": "", "n": "b"}).cases == ("b",)
    assert smallest_set("ab", {}).cases == ()


def test_cases_that_could_go() -> None:
    assert adding_nothing("abc", {"1": "ab", "2": "b", "3": ""}) == ("a", "c")


@given(st.lists(st.frozensets(st.sampled_from("abcdefgh"), min_size=1), max_size=12))
def test_no_smaller_set_kills_all(rows: list[frozenset[str]]) -> None:
    found = smallest_set("abcdefgh", {str(number): row for number, row in enumerate(rows)})
    assert all(row & set(found.cases) for row in rows)
    smaller = combinations("abcdefgh", len(found.cases) - 1) if found.cases else iter(())
    assert not any(all(row & set(some) for row in rows) for some in smaller)
    assert found.exact
