"""Signing in and out, and passwords. Django's views with our pages."""

from django.contrib.auth import views
from django.urls import path
from django.utils.translation import gettext_lazy as _

from judge.web import tongue
from judge.web.account import forms, people, tokens
from judge.web.account.views import PasswordChanged, PasswordForgotten, PasswordSet, SignIn

urlpatterns = [
    path(
        "sign-in/",
        SignIn.as_view(
            template_name="account/sign_in.html",
            authentication_form=forms.SignInForm,
            redirect_authenticated_user=True,
        ),
        name="sign-in",
    ),
    path("sign-out/", views.LogoutView.as_view(), name="sign-out"),
    path("language/", tongue.choose, name="choose-language"),
    path("password/", PasswordChanged.as_view(), name="change-password"),
    path(
        "password/forgotten/",
        PasswordForgotten.as_view(extra_context={"title": _("Forgotten password")}),
        name="reset-password",
    ),
    path(
        "password/forgotten/sent/",
        views.PasswordResetDoneView.as_view(template_name="account/reset_sent.html"),
        name="reset-sent",
    ),
    path("join/", people.join, name="join"),
    path("tokens/", tokens.api_tokens, name="tokens"),
    path("data/", people.my_data, name="my-data"),
    path("all/", people.accounts, name="accounts"),
    path("all/<int:pk>/", people.account, name="account"),
    path("all/<int:pk>/data", people.data_of, name="account-data"),
    path("password/new/<uidb64>/<token>/", PasswordSet.as_view(), name="set-password"),
]
