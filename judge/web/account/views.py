"""The two password pages that end with a word of confirmation."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from django.contrib import messages
from django.contrib.auth import views
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _

from judge.people.models import User
from judge.web.account import forms


class PasswordChanged(views.PasswordChangeView):
    """A signed-in person sets a new password."""

    template_name = "account/change.html"
    form_class = forms.ChangePasswordForm
    success_url = reverse_lazy("problems")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)


class PasswordSet(views.PasswordResetConfirmView):
    """Somebody came by the link of a letter."""

    template_name = "account/reset_set.html"
    form_class = forms.NewPasswordForm
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: SetPasswordForm[User]) -> HttpResponse:
        messages.success(self.request, _("Your password is set. Sign in with it."))
        return super().form_valid(form)
