"""Who works on a problem besides admins."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from judge.authoring import actions
from judge.people.permissions import may_end_ownership, may_use_desk
from judge.people.refusal import Refused
from judge.web.instructor.forms import OwnerForm
from judge.web.instructor.frame import at_desk, frame, reader
from problems.models import Problem


@at_desk
def people(request: HttpRequest, shown: Problem) -> HttpResponse:
    """GET: the owners. POST: one more."""
    form, status = OwnerForm(), 200
    if request.method == "POST":
        form, status = OwnerForm(request.POST), 422
        if form.is_valid():
            try:
                owner = actions.add_owner(reader(request), shown, form.cleaned_data["name"])
            except Refused as refusal:
                form.add_error("name", refusal.message)
            else:
                messages.success(request, _("%(who)s may work on this problem now.") % {"who": owner})
                return redirect("desk-people", slug=shown.slug)
    owners = [(one, may_end_ownership(request.user, shown, one)) for one in shown.owners.order_by("username")]
    context = {**frame(shown, "people"), "form": form, "owners": owners}
    return render(request, "instructor/people.html", context, status=status)


@at_desk
@require_POST
def listed(request: HttpRequest, shown: Problem) -> HttpResponse:
    """On the shelf for everybody (`listed=1`), or only for those whom an assignment gives it."""
    try:
        actions.set_listed(reader(request), shown, listed=request.POST.get("listed") == "1")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("desk-people", slug=shown.slug)


@at_desk
@require_POST
def remove(request: HttpRequest, shown: Problem, pk: int) -> HttpResponse:
    """Take it back from one of them."""
    owner = shown.owners.filter(pk=min(pk, 1 << 60)).first()
    if owner is not None:
        try:
            actions.remove_owner(reader(request), shown, owner)
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            if owner == request.user:
                messages.success(request, _("You are no longer an owner of %(slug)s.") % {"slug": shown.slug})
                return redirect("desk" if may_use_desk(owner) else "problems")
    return redirect("desk-people", slug=shown.slug)
