"""Small tags of every template: icons, words of verdicts, figures with their units."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.context import RequestContext
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext, pgettext

from judge.assignments.models import AssignmentProblem
from judge.authoring.models import Kind
from judge.authoring.queries import latest
from judge.grades.score import rounded
from judge.people.models import User
from judge.people.permissions import is_admin, may_answer_for, may_use_desk, sees_work_of_others, who_answers_for
from judge.submissions.failures import Failures, failures
from judge.submissions.models import Submission
from judge.submissions.queries import language_label
from judge.web import words
from judge.web.editor_words import WORDS
from judge.web.student.forms import ProgramForm
from judge.web.told import figure, localised, tell
from judge.web.words import title_of
from problems.models import Problem, Version

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """The drawing `name` of parts/icons.html. It says nothing to a screen reader: put `.sr` words beside a lone one."""
    kind = "icon knight" if name == "knight" else "icon"
    return format_html('<svg class="{}" aria-hidden="true"><use href="#i-{}"/></svg>', kind, name)


@register.simple_tag
def sign(status: str) -> SafeString:
    """The icon of a verdict or a state."""
    return icon(words.sign_of(status))


@register.simple_tag
def badge(status: str) -> SafeString:
    """A verdict or state as sign and word in a small frame."""
    kind = "pass" if status == "accepted" else "" if status in words.STATE_WORDS or status == "judge_error" else "fail"
    return format_html('<span class="badge {}">{}{}</span>', kind, sign(status), words.word_of(status))


@register.filter
def word(status: str) -> words.Word:
    return words.word_of(status)


@register.filter
def case_word(status: str) -> words.Word:
    return words.case_word_of(status)


@register.filter(name="words")
def split_words(text: str) -> list[str]:
    return text.split()


@register.simple_tag
def sheet_url(name: str) -> str:
    """Address of one of our style sheets."""
    return static(f"web/{name}.css")


@register.simple_tag
def staff_eye(user: User | AnonymousUser) -> bool:
    """Whether the reader sees work of others: that of their courses, or all."""
    return sees_work_of_others(user)


@register.simple_tag
def editor_words() -> SafeString:
    """What the editor reads in the page, to speak the reader's language."""
    return json_script(WORDS, "editor-words")


@register.simple_tag
def desk_eye(user: User | AnonymousUser) -> bool:
    """Whether the reader has problems to write."""
    return may_use_desk(user)


@register.simple_tag
def answers_for(user: User | AnonymousUser, problem: Problem) -> bool:
    """Whether the reader decides what of the problem is live, who owns it, and whether it is on the shelf."""
    return may_answer_for(user, problem)


@register.simple_tag
def who_answers(problem: Problem) -> str:
    """Which owners decide that, in a list; empty: none of them."""
    return get_text_list([str(one) for one in who_answers_for(problem)], gettext("or"))


@register.simple_tag
def failed_judgings(user: User | AnonymousUser, problem: Problem) -> Failures | None:
    """What of the work on a problem ended in a judge error, for who writes the problem."""
    return failures(user, problem)


@register.simple_tag
def checker_untried(version: Version) -> bool:
    """Whether verifying has found that nothing tries the version's own checker."""
    found = latest(version.problem, Kind.VERIFY, version=version)
    return found is not None and bool(found.result.get("checker_untried"))


@register.simple_tag
def admin_eye(user: User | AnonymousUser) -> bool:
    """Whether the reader runs the site."""
    return is_admin(user)


@register.filter
def fate_word(fate: str) -> words.Word:
    """What becomes of somebody in a list of people."""
    return words.FATE_WORDS[fate]


@register.simple_tag
def tongues() -> Sequence[tuple[str, str]]:
    """Code and name of every language of the pages, each in its own words (Django's tag would translate the names)."""
    return settings.LANGUAGES


@register.simple_tag
def zone() -> str:
    """Name of the time zone in which this page writes times."""
    return timezone.get_current_timezone_name()


@register.simple_tag(takes_context=True)
def with_query(context: RequestContext, **changes: object) -> str:
    """The query of this page with some keys set, or taken out where the value is empty; always begins with `?`."""
    request: HttpRequest = context["request"]
    query = request.GET.copy()
    for key, value in changes.items():
        query.pop(key, None)
        if value not in ("", None):
            query[key] = str(value)
    return f"?{query.urlencode()}"


@register.filter
def seconds(value: float | None) -> str:
    """`0.021 s`; three digits below ten seconds, one above."""
    if value is None:
        return ""
    return f"{figure(value, 3 if value < 10 else 1)} s"


@register.filter
def limit_seconds(value: float | None) -> str:
    """A limit as its author wrote it: `2 s`, `0.5 s`."""
    return f"{localised(f'{value:g}')} s" if value else ""


@register.filter
def size(value: int | None) -> str:
    """`9.1 MiB`; units of 1024, as in the notes of cases."""
    if not isinstance(value, int):
        return ""
    if value < 1 << 10:
        return f"{value} B"
    if value < 1 << 20:
        return f"{localised(f'{value / (1 << 10):.3g}')} KiB"
    amount = value / (1 << 20)
    return f"{figure(amount, 0 if amount >= 100 or amount == int(amount) else 1)} MiB"


@register.filter
def points(value: object) -> str:
    """Points without trailing zeros, at most two digits after the point."""
    if value is None or value == "":
        return ""
    exact = value if isinstance(value, Fraction | Decimal) else Fraction(str(value))
    text = f"{rounded(exact):f}"
    return localised(text.rstrip("0").rstrip(".") if "." in text else text)


def _day() -> str:
    # Translators: as Django's date filter wants it: D day of the week, j day, M month in three letters, n as a number.
    return pgettext("date", "D j M, H:i")


@register.filter
def told(text: str) -> str:
    """What a worker said in English, in the reader's language."""
    return tell(text)


@register.filter
def first_line_apart(text: str) -> tuple[str, str]:
    """What a worker said, and what it quotes below that: the output of a program, in whose columns signs stand."""
    said, _, quoted = text.partition("\n")
    return said, quoted


@register.filter
def day(value: date | None) -> str:
    """`4 Dec 2025`."""
    return date_format(value, pgettext("date", "j M Y")) if value else ""


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """`today 10:12`, `Fri 4 Dec, 23:59`, `4 Dec 2025, 23:59`: as far away as it needs."""
    if value is None:
        return ""
    local, now = timezone.localtime(value), timezone.localtime()
    if local.date() == now.date():
        text = gettext("today %(time)s") % {"time": date_format(local, "H:i")}
    elif local.year == now.year:
        text = date_format(local, _day())
    else:
        text = date_format(local, pgettext("date", "j M Y, H:i"))
    return format_html('<time datetime="{}">{}</time>', local.isoformat(timespec="seconds"), text)


@register.simple_tag
def deadline(value: datetime | None, course_zone: ZoneInfo) -> SafeString | str:
    """A moment in the reader's zone, and with the zone of the course named: `Fri 4 Dec, 23:59 (Europe/Bucharest)`,
    `Fri 4 Dec, 19:59 (23:59 in Europe/Bucharest)`."""
    if value is None:
        return ""
    there, here = value.astimezone(course_zone), timezone.localtime(value)
    if there.replace(tzinfo=None) == here.replace(tzinfo=None):
        return format_html("{} ({})", moment(value), course_zone.key)
    same_day = there.date() == here.date()
    text = date_format(there, "H:i" if same_day else _day())
    return format_html(
        "{} ({})", moment(value), gettext("%(time)s in %(zone)s") % {"time": text, "zone": course_zone.key}
    )


@register.filter
def times(count: int) -> str:
    """`once`, `3 times`."""
    return gettext("once") if count == 1 else ngettext("%(n)d time", "%(n)d times", count) % {"n": count}


@register.simple_tag
def meter(
    used: float | None, limit: float, measured: Sequence[float] | None = None, others: Sequence[float] | None = None
) -> SafeString:
    """A bar of `used` against `limit`, which stands at 77 % of its length (a program may run to 1.3 times it).

    `measured`: lowest and highest of several runs; `others`: between which the middle half of other people's lie.
    """
    if not limit or used is None:
        return SafeString("")
    scale = 100 / (1.3 * limit)
    again = SafeString("")
    if measured:
        low, high = (min(value * scale, 100) for value in measured)
        again = format_html(
            '<rect class="again" x="{}%" y="5" width="{}%" height="7"/>', f"{low:.1f}", f"{max(high - low, 0.5):.1f}"
        )
    if others:
        low, high = (min(value * scale, 100) for value in others)
        again += format_html(
            '<rect class="others" x="{}%" y="1" width="{}%" height="15"/>', f"{low:.1f}", f"{max(high - low, 0.8):.1f}"
        )
    return format_html(
        '<svg class="meter" aria-hidden="true"><rect class="used" y="3" width="{}%" height="11"/>{}'
        '<rect class="limit" x="{}%" width="2" height="18"/></svg>',
        f"{max(min(used * scale, 100), 0.4):.1f}",
        again,
        f"{100 / 1.3:.1f}",
    )


@register.simple_tag
def mode(form: ProgramForm, language: str) -> str:
    """What the editor calls the language."""
    return form.modes.get(language, "")


@register.simple_tag
def title(sent: Submission) -> str:
    """Title of the problem a submission was sent to."""
    return title_of(sent.problem.slug, sent.effective.judgement.version)


@register.filter
def entry_title(entry: AssignmentProblem) -> str:
    """Title of a problem of an assignment."""
    return title_of(entry.problem.slug, entry.problem.live)


@register.simple_tag
def language_name(name: str) -> str:
    return language_label(name)


@register.filter
def ago(value: float) -> str:
    """A span of seconds in the unit that fits: `4 s`, `3 min`, `2 h`."""
    for unit, size_of_unit in (("h", 3600), ("min", 60)):
        if value >= 2 * size_of_unit:
            return f"{value / size_of_unit:.0f} {unit}"
    return f"{value:.0f} s"
