"""Inputs become smaller while something stays true of them."""

from judge.grading.feedback.shrink import shrunk
from judge.grading.feedback.small import smallness


def test_lines_that_do_not_matter_go() -> None:
    text = b"".join(b"line %d\n" % number for number in range(200))
    asked = 0

    def still(changed: bytes) -> bool:
        nonlocal asked
        asked += 1
        return b"7\n" in changed and changed.count(b"\n") >= 2

    assert shrunk(text, still).count(b"\n") == 2
    assert asked < 400


def test_numbers_become_lower() -> None:
    def still(changed: bytes) -> bool:
        words = changed.split()
        return len(words) == 2 and all(word.isdigit() for word in words) and int(words[0]) + int(words[1]) >= 10

    smallest = shrunk(b"937 512\n", still)
    assert smallest == b"0 10\n"


def test_characters_go() -> None:
    assert shrunk(b"abxcd\n", lambda changed: b"x" in changed and changed.endswith(b"\n")) == b"x\n"


def test_lower_lines_stand_for_others() -> None:
    lower = (b"a1 a1\n", b"a1 a2\n", b"a1 a3\n")
    legal = {*lower, b"h8 g7\n"}

    def still(changed: bytes) -> bool:
        lines = changed.splitlines(keepends=True)
        return len(lines) == 2 and b"a3" in lines[1] and legal.issuperset(lines)

    assert shrunk(b"h8 g7\na1 a3\n", still, lower=lower) == b"a1 a1\na1 a3\n"


def test_the_order_of_inputs() -> None:
    texts = [b"10\n", b"2\n", b"1\n1\n", b"b\n", b"a\n"]
    assert sorted(texts, key=smallness) == [b"a\n", b"b\n", b"2\n", b"10\n", b"1\n1\n"]
