"""Who is in a course: the list, one of them, a list as CSV in and out, invitations, sections."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from judge.grades.sheets import safe
from judge.people import actions, invitations, roster
from judge.people.models import Course, CourseRole, Membership, Section
from judge.people.permissions import may_archive, may_look_after
from judge.people.refusal import Refused
from judge.people.roster_file import BYTES, text_of
from judge.web.course.forms import MemberForm, RosterForm, SectionForm
from judge.web.course.frame import at_course, frame, instructor, reader, staff

PAGE = 100
SHOWN = 500
"""Lines of a preview that the page shows; the counts are of all."""


@at_course(staff)
@require_safe
def people(request: HttpRequest, course: Course) -> HttpResponse:
    """The list, filtered by `?q=`, `?role=`, `?section=` and `?left=1` (those who have left)."""
    asked, role = request.GET.get("q", "").strip()[:100], request.GET.get("role", "")
    section, left = request.GET.get("section", ""), request.GET.get("left") == "1"
    found = course.memberships.select_related("user", "section").filter(active=not left)
    for word in asked.split()[:5]:
        found = found.filter(
            Q(user__username__icontains=word)
            | Q(user__first_name__icontains=word)
            | Q(user__last_name__icontains=word)
            | Q(user__email__icontains=word)
        )
    if role in CourseRole.values:
        found = found.filter(role=role)
    if section.isdecimal() and len(section) < 18:
        found = found.filter(section=int(section))
    found = found.order_by("role", "user__last_name", "user__first_name", "user__username")
    context = {
        **frame(request, course, "people"),
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "q": asked,
        "role": role,
        "section": section,
        "left": left,
        "roles": CourseRole.choices,
        "sections": course.sections.all(),
        "section_form": SectionForm(),
        "gone": course.memberships.filter(active=False).count(),
        "to_invite": len(invitations.to_invite(reader(request), course)),
        "edits": may_archive(request.user, course),
    }
    return render(request, "course/people.html", context)


@at_course(instructor)
def member(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    """One person in the course. POST: `do=save`, or `do=renew`: links given out so far no longer work."""
    shown = course.memberships.select_related("user", "section", "course").filter(user=min(pk, 1 << 60)).first()
    if shown is None:
        raise Http404
    form, status = MemberForm(instance=shown), 200
    if request.method == "POST":
        form, status = MemberForm(request.POST, instance=Membership.objects.get(pk=shown.pk)), 422
        try:
            if request.POST.get("do") == "renew":
                invitations.renew(reader(request), shown.user)
                messages.success(request, _("Links given out so far no longer work. Make a new one below People."))
                return redirect("course-member", slug=course.slug, pk=pk)
            if form.is_valid():
                values = form.cleaned_data
                actions.change_member(
                    reader(request), shown, role=values["role"], section=values["section"], active=values["active"]
                )
                messages.success(request, _("Saved."))
                return redirect("course-people", slug=course.slug)
        except Refused as refusal:
            form.add_error(None, refusal.message)
    context = {
        **frame(request, course, "people"),
        "member": shown,
        "form": form,
        "no_password": not shown.user.taken_up,
        "pending": not shown.user.taken_up and may_look_after(request.user, shown.user),
    }
    return render(request, "course/member.html", context, status=status)


@at_course(instructor)
def upload(request: HttpRequest, course: Course) -> HttpResponse:
    """A list of people. POST: `do=preview` shows what it would do, `do=apply` does what was shown."""
    form, plan, status, text = RosterForm(), None, 200, ""
    if request.method == "POST":
        form, status = RosterForm(request.POST, request.FILES), 422
        try:
            if form.is_valid():
                sent = form.cleaned_data["file"]
                text = text_of(sent.read(BYTES + 1)) if sent else form.cleaned_data["text"]
                remove = form.cleaned_data["remove"]
                if request.POST.get("do") == "apply":
                    done = roster.apply(reader(request), course, text, request.POST.get("seal", ""), remove=remove)
                    messages.success(request, _done(done))
                    return redirect("course-people", slug=course.slug)
                plan = roster.plan(reader(request), course, text, remove=remove)
                status = 422 if plan.faults else 200
        except Refused as refusal:
            form.add_error(None, refusal.message)
            if isinstance(refusal, roster.Changed):
                plan = roster.plan(reader(request), course, text, remove=form.cleaned_data["remove"])
    context: dict[str, Any] = {**frame(request, course, "people"), "form": form, "plan": plan, "text": text}
    if plan is not None:
        context["shown"] = plan.moving[:SHOWN]
        context["more"] = len(plan.moving) - len(context["shown"])
    return render(request, "course/roster.html", context, status=status)


@at_course(staff)
@require_safe
def download(_request: HttpRequest, course: Course) -> HttpResponse:
    """The list as it is, in the form in which it can be sent again."""
    lines = [("username", "first name", "last name", "email", "section", "role")]
    found = course.memberships.filter(active=True).select_related("user", "section").order_by("role", "user__username")
    for one in found:
        section = one.section.name if one.section else ""
        lines.append(
            (one.user.username, one.user.first_name, one.user.last_name, one.user.email, section, str(one.role))
        )
    return _csv(lines, f"{course.slug}-people.csv")


@at_course(instructor)
def invite(request: HttpRequest, course: Course) -> HttpResponse:
    """Who has no password yet. POST makes links: `do=show`, `do=csv` and `do=mail`; `who=` names some of them."""
    made: list[tuple[Membership, str]] = []
    if request.method == "POST":
        asked = request.POST.getlist("who")
        some = [int(one) if one.isdecimal() and len(one) < 18 else 0 for one in asked]
        do = request.POST.get("do")
        wanted = invitations.next_to_mail(reader(request), course, some) if do == "mail" else some or None
        found = invitations.links(reader(request), course, wanted)
        made = [(one, _address(request, link)) for one, link in found]
        if do == "csv":
            lines = [("name", "username", "email", "link")]
            lines += [(str(one.user), one.user.username, one.user.email, link) for one, link in made]
            return _csv(lines, f"{course.slug}-invitations.csv")
        if do == "mail":
            _mail(request, course, made)
            return redirect("course-invitations", slug=course.slug)
    context = {
        **frame(request, course, "people"),
        "waiting": invitations.to_invite(reader(request), course),
        "elsewhere": invitations.invited_elsewhere(reader(request), course),
        "links": made,
        "can_mail": invitations.can_mail(),
    }
    return render(request, "course/invitations.html", context)


@at_course(instructor)
@require_POST
def add_section(request: HttpRequest, course: Course) -> HttpResponse:
    try:
        section = actions.add_section(reader(request), course, request.POST.get("name", ""))
        messages.success(request, _("There is a section %(name)s now.") % {"name": section})
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("course-people", slug=course.slug)


@at_course(instructor)
@require_POST
def remove_section(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    section = Section.objects.select_related("course").filter(course=course, pk=min(pk, 1 << 60)).first()
    if section is None:
        raise Http404
    try:
        actions.remove_section(reader(request), section)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("course-people", slug=course.slug)


def _address(request: HttpRequest, link: str) -> str:
    return request.build_absolute_uri(f"{reverse('join')}?link={link}")


def _mail(request: HttpRequest, course: Course, made: list[tuple[Membership, str]]) -> None:
    try:
        sent = invitations.mail(reader(request), course, made)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return
    except OSError:
        messages.error(request, _("The mail server did not take the letters. Copy the links, or try again later."))
        return
    text = ngettext("%(n)d letter is sent.", "%(n)d letters are sent.", sent) % {"n": sent}
    messages.success(request, text)


def _csv(lines: Sequence[Sequence[str]], name: str) -> HttpResponse:
    text = io.StringIO()
    csv.writer(text).writerows([[safe(cell) for cell in line] for line in lines])
    response = HttpResponse(text.getvalue().encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _done(plan: roster.Plan) -> str:
    counts = plan.counts
    told = [
        ngettext("%(n)d new account", "%(n)d new accounts", counts["add"]) % {"n": counts["add"]},
        ngettext("%(n)d joined", "%(n)d joined", counts["join"]) % {"n": counts["join"] + counts["back"]},
        ngettext("%(n)d changed", "%(n)d changed", counts["update"]) % {"n": counts["update"]},
        ngettext("%(n)d left", "%(n)d left", counts["remove"]) % {"n": counts["remove"]},
    ]
    return _("The list is applied: %(what)s.") % {"what": ", ".join(told)}
