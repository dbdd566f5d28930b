"""Forms of an account; Django's own, with sentences that say what to do."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.forms import BooleanField, ChoiceField, Form
from django.utils.translation import gettext_lazy as _

from judge.people.models import Role


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
        self.fields["username"].label = _("Name")
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
