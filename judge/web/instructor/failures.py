"""What of a problem's work ended in a judge error, to be judged again by who writes the problem."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from judge.submissions import failures
from judge.web.instructor.frame import at_desk, reader
from problems.models import Problem


@at_desk
@require_POST
def judge_again(request: HttpRequest, shown: Problem) -> HttpResponse:
    """The one click after the checker was mended, or simply to try again."""
    n = failures.judge_again(reader(request), shown)
    message = ngettext("%(n)d submission is judged again.", "%(n)d submissions are judged again.", n)
    messages.success(request, message % {"n": n})
    return redirect("desk-versions", slug=shown.slug)
