"""The words and signs of verdicts and states, and titles, in one place for every page."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from judge.assignments.models import Kind, When
from judge.grading.verdict import Verdict
from judge.web.tongue import best
from problems.models import Version

Word = str | Promise

VERDICT_WORDS: Mapping[Verdict, Word] = {
    Verdict.ACCEPTED: _("Accepted"),
    Verdict.WRONG_ANSWER: _("Wrong answer"),
    Verdict.TIME_LIMIT_EXCEEDED: _("Time limit exceeded"),
    Verdict.MEMORY_LIMIT_EXCEEDED: _("Memory limit exceeded"),
    Verdict.OUTPUT_LIMIT_EXCEEDED: _("Output limit exceeded"),
    Verdict.RUN_TIME_ERROR: _("Run-time error"),
    Verdict.COMPILE_ERROR: _("Compile error"),
    Verdict.JUDGE_ERROR: _("Judge error"),
}
STATE_WORDS: Mapping[str, Word] = {
    "queued": _("In the queue"),
    "running": _("Being judged"),
    "abandoned": _("Not judged"),
}
CASE_WORDS: Mapping[str, Word] = {
    "waiting": _("waiting"),
    "running": _("running"),
    "not_run": _("not run"),
    "accepted": _("right"),
}
SIGNS: Mapping[str, str] = {
    "accepted": "ok",
    "wrong_answer": "wrong",
    "time_limit_exceeded": "time",
    "memory_limit_exceeded": "memory",
    "output_limit_exceeded": "output",
    "run_time_error": "run_time",
    "compile_error": "compile",
    "judge_error": "judge",
    "queued": "wait",
    "waiting": "wait",
    "running": "knight",
    "not_run": "none",
    "abandoned": "judge",
    "partial": "same",
}


def word_of(status: str) -> Word:
    """The name of a verdict or of a state, as a heading: `wrong_answer` -> "Wrong answer"."""
    if status in STATE_WORDS:
        return STATE_WORDS[status]
    return VERDICT_WORDS[Verdict(status)] if status else ""


def case_word_of(status: str) -> Word:
    """What a case tile says to a screen reader."""
    return CASE_WORDS.get(status) or word_of(status)


def sign_of(status: str) -> str:
    """The icon that stands for a verdict or a state."""
    return SIGNS.get(status, "wait")


FEEDBACK_WORDS: Mapping[Kind, Word] = {
    Kind.WHAT_HAPPENED: _("What happened, case by case"),
    Kind.COUNTEREXAMPLE: _("A small counterexample"),
    Kind.REPLAY: _("A replay of it"),
    Kind.BEHAVES_LIKE: _("“Your program behaves like…”"),
    Kind.DIFFERENCE: _("Difference of outputs"),
    Kind.CHANGES: _("What changed since the last attempt"),
    Kind.COST: _("Time and memory of each case"),
    Kind.SECRET: _("Inputs and answers of secret cases"),
}
WHEN_WORDS: Mapping[When, Word] = {
    When.NEVER: _("never"),
    When.ON_FAILURE: _("on failure"),
    When.AFTER_DEADLINE: _("after the deadline"),
    When.ALWAYS: _("always"),
}
FATE_WORDS: Mapping[str, Word] = {
    "add": _("new account"),
    "join": _("into the course"),
    "back": _("into the course again"),
    "update": _("changed"),
    "remove": _("leaves the course"),
    "same": _("as it was"),
}


def title_of(slug: str, version: Version | None, wished: str = "") -> str:
    """The title in the language `wished`, else the reader's, else English, else any, else the short name."""
    return title_among(version.titles if version else {}, slug, wished)


def title_among(titles: Mapping[str, str], slug: str, wished: str = "") -> str:
    """The same of titles by language."""
    chosen = best(titles, wished)
    return str(titles[chosen]) if chosen else slug


def waits_for(languages: Sequence[str]) -> str:
    """Why something waits although workers are at work: none has these languages, or, without any, the new code."""
    if not languages:
        return gettext("It waits for a worker that has the judge's new version; none at work just now has it.")
    which = get_text_list([str(label) for label in languages], gettext("and"))
    return gettext("It waits for a worker with %(languages)s; none at work just now has it.") % {"languages": which}
