"""The form in which a program is sent or tried out."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

import json
import secrets
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from judge.assignments.models import Assignment
from judge.grading.languages import LANGUAGES, guess
from judge.submissions import upload
from judge.submissions.queries import SAMPLE, allowed_languages, language_label, wants_answers
from judge.submissions.targets import Targets
from problems.models import Version

NOWHERE = Targets()
"""Nothing but practice."""


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files, none included."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        chosen = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(FilesField, self).clean(one, initial) for one in chosen]


class TextField(forms.CharField):
    """Text kept to the letter; a NUL is looked for later, with a better message."""

    widget = forms.Textarea

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, required=False, **kwargs)
        self.validators = []


class ProgramForm(forms.Form):
    """A program in one language: pasted, or as files. After `is_valid`, `program` and `chosen_language` are there."""

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        error_messages={"invalid_choice": _("This language is not known here. Choose one from the list.")},
    )
    text = TextField(label=_("Your program"))
    filename = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    uploads = FilesField(label=_("Files"), required=False, allow_empty_file=True)
    own_input = TextField(label=_("Your own input"))
    token = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    assignment = forms.ChoiceField(
        label=_("Send it for"),
        required=False,
        error_messages={"invalid_choice": _("This assignment is not open for you now. Choose what you send it for.")},
    )

    program: Mapping[str, bytes]
    chosen_language: str
    answers = False
    """Whether it is for answers, and not for a program."""

    def __init__(
        self,
        version: Version,
        data: Mapping[str, Any] | None = None,
        files: MultiValueDict[str, UploadedFile[bytes]] | None = None,
        *,
        targets: Targets = NOWHERE,
        **kwargs: Any,
    ) -> None:
        initial = {"token": secrets.token_urlsafe(16), "assignment": targets.chosen}
        super().__init__(data, files, initial=initial | kwargs.pop("initial", {}), **kwargs)
        self.targets = targets
        target = self.fields["assignment"]
        assert isinstance(target, forms.ChoiceField)
        target.choices = targets.choices
        self.version = version
        self.limit = upload.limit_of(version)
        offered = allowed_languages(version)
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        language.choices = [("", _("By the file’s ending")), *((name, language_label(name)) for name in offered)]
        self.modes = {name: LANGUAGES[name].code for name in offered}
        suffixes = {suffix for name in offered for suffix in LANGUAGES[name].suffixes}
        guesses = {suffix: guess(f"x{suffix}") for suffix in suffixes}
        self.endings = {suffix: found.id for suffix, found in guesses.items() if found and found.id in offered}

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        try:
            self.program = self._program(values)
        except upload.Unusable as error:
            raise ValidationError(str(error)) from error
        self.chosen_language = values.get("language") or upload.language_of(self.version, self.program)
        if not self.chosen_language:
            self.add_error("language", _("Choose the language of the program."))
        return values

    @property
    def chosen_assignment(self) -> Assignment | None:
        """For what it is sent; None: practice. A form without the choice means what the page would choose."""
        return self.targets.assignment(self.cleaned_data["assignment"] or self.targets.chosen)

    @property
    def endings_json(self) -> str:
        """File ending -> language, for the script that guesses when a file is opened."""
        return json.dumps(self.endings)

    @property
    def prefilled(self) -> bool:
        """The text comes from the server, so a draft of the browser must not take its place."""
        return self.is_bound or bool(self.initial.get("text"))

    def own_input_bytes(self) -> bytes:
        """The input as a program reads it: line ends as LF, the last line ended."""
        text = _line_ends(self.cleaned_data["own_input"])
        return (text if text.endswith("\n") or not text else text + "\n").encode()

    def token_of_content(self) -> str:
        """The same form with the same program is the same token; once the program was changed it is another."""
        return upload.seal(self.cleaned_data["token"], self.chosen_language, self.program, self.chosen_assignment)

    def _program(self, values: Mapping[str, Any]) -> dict[str, bytes]:
        if values["uploads"]:
            return upload.files_of(values["uploads"], self.limit)
        content = _line_ends(values["text"]).encode()
        language = LANGUAGES.get(values.get("language", ""))
        name = values.get("filename") or (language.source if language else "program")
        return upload.checked({name: content}, self.limit)


class AnswersForm(ProgramForm):
    """Answers, where no program is asked for: files called like their cases, or one that is pasted."""

    case = forms.ChoiceField(
        label=_("Answer to"),
        required=False,
        error_messages={"invalid_choice": _("There is no such case any more. Choose one from the list.")},
    )
    answers = True

    def __init__(self, version: Version, *args: Any, **kwargs: Any) -> None:
        super().__init__(version, *args, **kwargs)
        names = list(version.cases.exclude(group=SAMPLE).values_list("name", flat=True))
        case = self.fields["case"]
        assert isinstance(case, forms.ChoiceField)
        case.choices = [(name, name.removeprefix("secret/")) for name in names]
        del self.fields["language"]
        del self.fields["own_input"]

    def _program(self, values: Mapping[str, Any]) -> dict[str, bytes]:
        if values["uploads"]:
            return upload.files_of(values["uploads"], self.limit, text=False)
        name = values.get("case", "").removeprefix("secret/") or "answer"
        return upload.checked({f"{name}.out": _line_ends(values["text"]).encode()}, self.limit, text=False)


def form_for(version: Version, *args: Any, **kwargs: Any) -> ProgramForm:
    """The form of what `version` asks for; arguments as for `ProgramForm`."""
    return (AnswersForm if wants_answers(version) else ProgramForm)(version, *args, **kwargs)


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
