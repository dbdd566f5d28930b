"""Coming in by an invitation, one's own data, and, for admins, all accounts."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judge.operations import persons
from judge.people import actions, invitations
from judge.people.models import Role, User
from judge.people.permissions import is_admin
from judge.people.refusal import Refused
from judge.web.account.forms import AccountForm, NewPasswordForm

PAGE = 100
Rest = ParamSpec("Rest")


def for_admins(
    view: Callable[Concatenate[HttpRequest, Rest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Everybody else is told the same, whether there is such an account or not."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        if not is_admin(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return never_cache(login_required(wrapped))


@never_cache
def join(request: HttpRequest) -> HttpResponse:
    """Somebody came by the link of an invitation, `?link=`, and sets the first password of their account."""
    link = request.GET.get("link", "")[:500]
    user = invitations.account_of(link)
    if user is None:
        return render(request, "account/join.html", status=404)
    form, status = NewPasswordForm(user), 200
    if request.method == "POST":
        form, status = NewPasswordForm(user, request.POST), 422
        if form.is_valid():
            if invitations.accept(link, form.cleaned_data["new_password1"]) is None:
                return render(request, "account/join.html", status=404)
            messages.success(
                request, _("Your password is set. Sign in as %(name)s with it.") % {"name": user.get_username()}
            )
            return redirect("sign-in")
    return render(request, "account/join.html", {"form": form, "joining": user}, status=status)


@login_required
@never_cache
def my_data(request: HttpRequest) -> HttpResponse:
    """GET: what is kept of the reader. POST: all of it, as a ZIP."""
    assert isinstance(request.user, User)
    if request.method == "POST":
        return _zip(persons.export(request.user, request.user), request.user)
    return render(request, "account/data.html")


@for_admins
@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """All accounts, filtered by `?q=` and `?role=`."""
    asked, role = request.GET.get("q", "").strip()[:100], request.GET.get("role", "")
    found = User.objects.order_by("last_name", "first_name", "username")
    for word in asked.split()[:5]:
        found = found.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
        )
    if role in Role.values:
        found = found.filter(role=role)
    context = {
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "q": asked,
        "role": role,
        "roles": Role.choices,
    }
    return render(request, "account/accounts.html", context)


@for_admins
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """One account. POST: `do=save`, or `do=forget` with the name of the account in `called`."""
    assert isinstance(request.user, User)
    shown = get_object_or_404(User, pk=min(pk, 1 << 60))
    form, status = AccountForm(initial={"role": shown.role, "active": shown.is_active}), 200
    if request.method == "POST":
        try:
            if request.POST.get("do") == "forget":
                deleted = _forget(request.user, shown, called=request.POST.get("called", ""))
                messages.success(
                    request, _("The account is deleted.") if deleted else _("The account is anonymous now.")
                )
                return redirect("accounts")
            form, status = AccountForm(request.POST), 422
            if form.is_valid():
                values = form.cleaned_data
                actions.change_account(request.user, shown, role=values["role"], active=values["active"])
                messages.success(request, _("Saved."))
                return redirect("account", pk=pk)
        except Refused as refusal:
            messages.error(request, refusal.message)
            return redirect("account", pk=pk)
    context = {
        "account": shown,
        "form": form,
        "memberships": shown.memberships.select_related("course", "section"),
    }
    return render(request, "account/account.html", context, status=status)


def _forget(by: User, user: User, *, called: str) -> bool:
    """`called`: the name of the account, which whoever asks has written: there is no way back. Raises `Refused`."""
    if called.strip() != user.username:
        raise Refused(_("Write %(name)s, the name of this account, to forget it.") % {"name": user.username})
    return persons.forget(by, user)


@for_admins
@require_safe
def data_of(request: HttpRequest, pk: int) -> HttpResponse:
    """All that is kept of somebody, as a ZIP."""
    assert isinstance(request.user, User)
    shown = get_object_or_404(User, pk=min(pk, 1 << 60))
    return _zip(persons.export(request.user, shown), shown)


def _zip(content: bytes, user: User) -> HttpResponse:
    response = HttpResponse(content, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="data-{user.pk}-{timezone.now():%Y-%m-%d}.zip"'
    return response
