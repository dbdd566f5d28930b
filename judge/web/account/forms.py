"""Forms of an account; Django's own, with sentences that say what to do."""

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.forms import BooleanField, CharField, CheckboxSelectMultiple, ChoiceField, Form, MultipleChoiceField
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from judge.people.models import Role
from judge.people.tokens import Scope


def _dress(form: Form) -> None:
    """Give every field our look and tie its error to it."""
    for field in form.fields.values():
        field.widget.attrs.setdefault("class", "input")


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _(
            "That name and password do not go together. Mind capital letters in both; if you forgot the password, "
            "set a new one below."
        ),
        "inactive": _("This account is closed. Ask your instructor to open it again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = pgettext_lazy("account", "Name")
        self.fields["username"].error_messages["required"] = _("Write the name of your account.")
        self.fields["password"].error_messages["required"] = _("Write your password.")
        _dress(self)


class ChangePasswordForm(PasswordChangeForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self)


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self)


class ForgottenForm(PasswordResetForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("Mail address")
        self.fields["email"].error_messages = {
            "required": _("Write the mail address of your account."),
            "invalid": _("This is no mail address: it needs a name, an @ and a domain."),
        }
        _dress(self)


class AccountForm(Form):
    """What somebody may do on the site. For admins."""

    role = ChoiceField(
        label=_("May"),
        choices=[
            (Role.STUDENT, _("send programs")),
            (Role.INSTRUCTOR, _("begin courses and problems")),
            (Role.ADMIN, _("do everything")),
        ],
    )
    active = BooleanField(label=_("May sign in"), required=False)


class TokenForm(Form):
    """A new token of the API."""

    name = CharField(
        label=_("What it is for"),
        max_length=80,
        error_messages={"required": _("Say what it is for, in a word or two.")},
    )
    scopes = MultipleChoiceField(
        label=_("It may"),
        widget=CheckboxSelectMultiple,
        initial=[Scope.READ, Scope.SUBMIT],
        error_messages={"required": _("Tick what it may do.")},
    )
    days = ChoiceField(label=_("It holds for"), initial=90)

    def __init__(self, *args: Any, staff: bool, **kwargs: Any) -> None:
        """`staff`: the owner sees work of others, or owns a problem; for others the scopes of courses mean nothing."""
        super().__init__(*args, **kwargs)
        scopes = self.fields["scopes"]
        assert isinstance(scopes, MultipleChoiceField)
        offered = [one for one in Scope if staff or one in (Scope.READ, Scope.SUBMIT)]
        scopes.choices = [
            (one.value, format_html("{} <code>{}</code>", SCOPE_WORDS[one], one.value)) for one in offered
        ]
        days = self.fields["days"]
        assert isinstance(days, ChoiceField)
        longest = settings.TOKEN_DAYS
        lengths = [one for one in (7, 30, 90, 180) if one < longest] + [longest]
        days.choices = [(one, ngettext("%(n)d day", "%(n)d days", one) % {"n": one}) for one in lengths]
        self.fields["name"].widget.attrs["class"] = "input"


SCOPE_WORDS = {
    Scope.READ: _("read problems, your courses, and your own submissions and grades"),
    Scope.SUBMIT: _("send programs for you"),
    Scope.COURSE_READ: _("read people, grades and work of courses whose staff you are, and your regrades"),
    Scope.COURSE_WRITE: _("change people, assignments, points and regrades where you may"),
}
