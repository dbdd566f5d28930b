"""Where a program ended, read from the last words of its run-time system."""

import pytest

from judge.grading.executable import Executable
from judge.grading.languages import LANGUAGES
from judge.grading.traces import uncaught

DEEP = {
    "python3": "Traceback (most recent call last):\n"
    '  File "/box/main.py", line 33, in <module>\n'
    + '  File "/box/main.py", line 24, in tour\n' * 400
    + '  File "/box/main.py", line 8, in exits\n  File "/box/main.py", line 2, in inside\n'
    + "RecursionError: maximum recursion depth exceeded in comparison\n",
    "java": 'Exception in thread "main" java.lang.StackOverflowError\n\tat Main.inside(Main.java:2)\n'
    + "\tat Main.tour(Main.java:24)\n" * 100,
}


@pytest.mark.parametrize(("language", "said"), DEEP.items())
def test_of_a_recursion_the_line_that_calls_itself_is_told(language: str, said: str) -> None:
    source = LANGUAGES[language].source
    executable = Executable(language=LANGUAGES[language], entry=source, files={}, lines={source: 40})
    assert uncaught(said.encode(), executable, shown=False).endswith(f"on line 24 of {source}")
