"""Which cases are needed: small ones by hand, others against trying all sets."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from judge.grading.strength.killing import adding_nothing, smallest_set


def test_the_smallest_set_is_smaller_than_a_greedy_one() -> None:
    # Greedy takes d first, which kills most, and needs b and c still.
    killers = {"1": "ad", "2": "ad", "3": "bd", "4": "bd", "5": "a", "6": "b"}
    found = smallest_set("abcd", killers)
    assert (found.cases, found.exact) == (("a", "b"), True)


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
