"""The page on which somebody makes tokens for programs, and takes them back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from judge.people import tokens
from judge.people.models import Token, User
from judge.people.permissions import may_regrade, sees_work_of_others
from judge.people.refusal import Refused
from judge.web.account.forms import TokenForm

PAGE = 50


@login_required
@never_cache
def api_tokens(request: HttpRequest) -> HttpResponse:
    """GET: the reader's own. POST: `do=make` makes one, whose secret only the answer shows; `do=revoke` ends one."""
    assert isinstance(request.user, User)
    staff = sees_work_of_others(request.user) or may_regrade(request.user)
    form, made, secret, status = TokenForm(staff=staff), None, "", 200
    if request.method == "POST" and request.POST.get("do") == "revoke":
        return _revoked(request, request.user)
    if request.method == "POST":
        form, status = TokenForm(request.POST, staff=staff), 422
        if form.is_valid():
            values = form.cleaned_data
            try:
                made, secret = tokens.make(request.user, values["name"], values["scopes"], int(values["days"]))
                form, status = TokenForm(staff=staff), 200
            except Refused as refusal:
                form.add_error(None, refusal.message)
    context = {
        "form": form,
        "made": made,
        "secret": secret,
        "page": Paginator(tokens.tokens(request.user), PAGE).get_page(request.GET.get("page")),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "account/tokens.html", context, status=status)


def _revoked(request: HttpRequest, by: User) -> HttpResponse:
    asked = request.POST.get("token", "")
    number = int(asked) if asked.isdecimal() and len(asked) < 18 else 0
    found: Token | None = tokens.tokens(by).filter(pk=number).first()
    if found is None:
        raise Http404
    tokens.revoke(by, found)
    messages.success(request, _("%(name)s is revoked: it opens nothing any more.") % {"name": found.name})
    return redirect("tokens")
