"""The password pages that do more than Django's own: a word of confirmation, or a bound on letters."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

import hashlib

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.core.cache import cache
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse_lazy
from django.utils.translation import gettext as _

from judge.people.models import User
from judge.web import tongue
from judge.web.account import forms


class SignIn(views.LoginView):
    """Somebody signs in, and finds the pages in their language."""

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        user = form.get_user()
        assert isinstance(user, User)
        tongue.greet(self.request, user, response)
        return response


class PasswordChanged(views.PasswordChangeView):
    """A signed-in person sets a new password."""

    template_name = "account/change.html"
    form_class = forms.ChangePasswordForm
    success_url = reverse_lazy("problems")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)


class PasswordForgotten(views.PasswordResetView):
    """Somebody asks for a letter. Too many are not sent, and the answer is the same: it tells nothing of accounts."""

    template_name = "account/reset.html"
    form_class = forms.ForgottenForm
    email_template_name = "account/reset_mail.txt"
    subject_template_name = "account/reset_subject.txt"
    success_url = reverse_lazy("reset-sent")

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        asker, asked = self.request.META.get("REMOTE_ADDR", ""), form.cleaned_data["email"].casefold()
        if _is_within(f"from {asker}", settings.RESET_MAILS_FROM_ONE) and _is_within(
            f"to {asked}", settings.RESET_MAILS_TO_ONE
        ):
            return super().form_valid(form)
        return HttpResponseRedirect(str(self.success_url))


def _is_within(what: str, limit: int) -> bool:
    """Count one more letter of this kind; whether `limit` allows it. The time runs from the first."""
    key = f"reset-{hashlib.sha256(what.encode()).hexdigest()}"
    cache.add(key, 0, settings.RESET_SECONDS)
    try:
        return cache.incr(key) <= limit
    except ValueError:  # its time ended just now
        return True


class PasswordSet(views.PasswordResetConfirmView):
    """Somebody came by the link of a letter."""

    template_name = "account/reset_set.html"
    form_class = forms.NewPasswordForm
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        messages.success(self.request, _("Your password is set. Sign in with it."))
        return super().form_valid(form)
