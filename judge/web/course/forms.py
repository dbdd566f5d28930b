"""The forms of the course desk."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

import zoneinfo
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from judge.assignments.models import USUAL, Assignment, Counts, Kind, When
from judge.grading.languages import LANGUAGES
from judge.people.models import Course, CourseRole, Membership, Section, User
from judge.web.fields import MomentField, NumberField
from judge.web.words import FEEDBACK_WORDS, WHEN_WORDS
from problems.models import Problem

ZONES = sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))


def text(**more: Any) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input", "autocomplete": "off", **more})


class CourseForm(forms.ModelForm):  # type: ignore[type-arg]
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=[("UTC", "UTC"), *((name, name) for name in ZONES)],
        help_text=_("of its deadlines"),
    )

    class Meta:
        model = Course
        fields = ["name", "code", "slug", "starts", "ends", "time_zone"]
        labels = {
            "name": _("Name"),
            "code": _("Code"),
            "slug": _("Short name"),
            "starts": _("First day"),
            "ends": _("Last day"),
        }
        help_texts = {
            "code": _("as your house calls it, such as INF-210; may be empty"),
            "slug": _("a-z, 0-9 and -; it stands in addresses and stays"),
        }
        error_messages: ClassVar = {
            "slug": {"invalid": _("Give the course a short name of a-z, 0-9 and -, such as algorithms-2026.")}
        }
        widgets = {
            "name": text(),
            "code": text(),
            "slug": text(autocapitalize="off"),
            "starts": forms.DateInput(attrs={"class": "input", "type": "date"}, format="%Y-%m-%d"),
            "ends": forms.DateInput(attrs={"class": "input", "type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            del self.fields["slug"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        starts, ends = values.get("starts"), values.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("The course ends before it starts."))
        return values


class RosterForm(forms.Form):
    """A list of people, as a file or pasted."""

    file = forms.FileField(
        label=_("CSV file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv"}),
    )
    text = forms.CharField(
        label=_("or paste it"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "class": "mono", "spellcheck": "false", "wrap": "off"}),
    )
    remove = forms.BooleanField(label=_("Students who are not in it leave the course"), required=False)


class SectionForm(forms.Form):
    name = forms.CharField(label=_("New section"), max_length=80, widget=text())


class MemberForm(forms.ModelForm):  # type: ignore[type-arg]
    role = forms.ChoiceField(label=_("Role"), choices=[(one.value, one.label) for one in CourseRole])
    active = forms.BooleanField(label=_("In the course"), required=False)

    class Meta:
        model = Membership
        fields = ["role", "section", "active"]
        labels = {"section": _("Section")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        section = self.fields["section"]
        assert isinstance(section, forms.ModelChoiceField)
        section.queryset = self.instance.course.sections.all()
        section.empty_label = _("none")


class AssignmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """An assignment without its problems. Times are on the clock of the course."""

    MOMENTS = ("published", "opens", "deadline", "cutoff", "grades_published")
    published = MomentField(
        label=_("Students see it from"), required=False, help_text=_("empty: a draft that only the staff sees")
    )
    opens = MomentField(label=_("Opens"), help_text=_("from then programs can be sent"))
    deadline = MomentField(label=_("Deadline"))
    cutoff = MomentField(
        label=_("Late work is taken until"), required=False, help_text=_("empty: nothing is taken after the deadline")
    )
    grades_published = MomentField(
        label=_("Students see their points from"), required=False, help_text=_("empty: not yet")
    )
    counts = forms.ChoiceField(
        label=_("Which result counts"),
        choices=[
            (Counts.BEST, _("the best")),
            (Counts.LAST, _("the last")),
            (Counts.LAST_BEFORE_DEADLINE, _("the last before the deadline")),
        ],
    )
    languages = forms.MultipleChoiceField(
        label=_("Languages"),
        choices=[(name, language.label) for name, language in LANGUAGES.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("none ticked: all that the problem takes"),
    )

    class Meta:
        model = Assignment
        fields = [
            "title",
            "published",
            "opens",
            "deadline",
            "grace_minutes",
            "cutoff",
            "late_percent",
            "attempts",
            "counts",
            "grades_published",
            "sections",
            "languages",
        ]
        field_classes: ClassVar = {"late_percent": NumberField}
        labels = {
            "title": _("Title"),
            "grace_minutes": _("Minutes of grace"),
            "late_percent": _("Late rule, in per cent"),
            "attempts": _("Attempts"),
            "sections": _("For the sections"),
        }
        help_texts = {
            "grace_minutes": _("so long after the deadline is still in time"),
            "late_percent": _("taken off what was reached, for each day begun after the deadline"),
            "attempts": _("of each problem; empty: as many as one likes. Programs that do not compile cost none"),
            "sections": _("none ticked: for the whole course"),
        }
        widgets = {
            "title": text(),
            "grace_minutes": text(inputmode="numeric"),
            "late_percent": text(inputmode="decimal"),
            "attempts": text(inputmode="numeric"),
            "sections": forms.CheckboxSelectMultiple,
        }

    def __init__(self, course: Course, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.MOMENTS:
            field = self.fields[name]
            assert isinstance(field, MomentField)
            field.zone = course.zone
            field.kept = getattr(self.instance, name) if self.instance.pk else None
        sections = self.fields["sections"]
        assert isinstance(sections, forms.ModelMultipleChoiceField)
        sections.queryset = course.sections.all()
        if not course.sections.exists():
            del self.fields["sections"]
        for kind in Kind:
            self.fields[f"feedback:{kind.value}"] = forms.ChoiceField(
                label=str(FEEDBACK_WORDS[kind]),
                choices=[(when.value, str(WHEN_WORDS[when])) for when in When],
                initial=self.instance.feedback.get(kind.value, USUAL[kind.value]),
                required=False,
            )
        for name, language in LANGUAGES.items():
            self.fields[f"factor:{name}"] = NumberField(
                label=language.label,
                required=False,
                initial=self.instance.time_factors.get(name),
                validators=[MinValueValidator(Decimal("0.1")), MaxValueValidator(100)],
                widget=text(inputmode="decimal", size=5),
            )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        values["feedback"] = {
            kind.value: chosen
            for kind in Kind
            if (chosen := values.get(f"feedback:{kind.value}")) and chosen != USUAL[kind]
        }
        values["time_factors"] = {
            name: f"{factor.normalize():f}"
            for name in LANGUAGES
            if (factor := values.get(f"factor:{name}")) not in (None, 1)
        }
        return values

    def made(self) -> Assignment:
        """The assignment as the form says it, not saved."""
        assignment: Assignment = self.instance
        assignment.feedback = self.cleaned_data["feedback"]
        assignment.time_factors = self.cleaned_data["time_factors"]
        return assignment

    def _some(self, start: str) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith(start)]

    @property
    def dates(self) -> list[forms.BoundField]:
        return [self[name] for name in ("published", "opens", "deadline", "cutoff", "grades_published")]

    @property
    def rules(self) -> list[forms.BoundField]:
        return [self[name] for name in ("counts", "attempts", "grace_minutes", "late_percent")]

    @property
    def feedback_fields(self) -> list[forms.BoundField]:
        return self._some("feedback:")

    @property
    def factor_fields(self) -> list[forms.BoundField]:
        return self._some("factor:")

    @property
    def chosen_sections(self) -> Sequence[Section]:
        return list(self.cleaned_data.get("sections", ()))


class EntryForm(forms.Form):
    """A problem of an assignment; formsets add its place and a tick to take it out."""

    problem = forms.ModelChoiceField(label=_("Problem"), queryset=Problem.objects.none(), required=False)
    points = NumberField(
        label=_("Points"),
        min_value=0,
        max_digits=8,
        decimal_places=2,
        required=False,
        widget=text(inputmode="decimal", size=6),
    )

    def __init__(self, *args: Any, problems: QuerySet[Problem], names: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        problem = self.fields["problem"]
        assert isinstance(problem, forms.ModelChoiceField)
        problem.queryset = problems
        problem.choices = [("", "–"), *names.items()]


class ExtensionForm(forms.Form):
    """What is different for one student."""

    student = forms.ModelChoiceField(label=_("Student"), queryset=User.objects.none())
    deadline = MomentField(label=_("New deadline"), required=False, help_text=_("a cut-off moves by as much"))
    extra_attempts = forms.IntegerField(
        label=_("More attempts"),
        min_value=0,
        max_value=1000,
        required=False,
        help_text=_("of each problem"),
        widget=text(inputmode="numeric"),
    )
    exempt = forms.BooleanField(label=_("Exempt: nothing is asked, nothing counts"), required=False)
    reason = forms.CharField(label=_("Why"), max_length=500, widget=text(), help_text=_("seen by the staff"))

    def __init__(self, assignment: Assignment, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        student, deadline = self.fields["student"], self.fields["deadline"]
        assert isinstance(student, forms.ModelChoiceField)
        assert isinstance(deadline, MomentField)
        deadline.zone = assignment.course.zone
        student.queryset = User.objects.filter(
            memberships__course=assignment.course, memberships__role=CourseRole.STUDENT
        ).order_by("last_name", "first_name", "username")


class AdjustForm(forms.Form):
    """A correction by hand."""

    points = NumberField(
        label=_("Points"),
        required=False,
        max_digits=8,
        decimal_places=2,
        min_value=0,
        help_text=_("empty: what is computed holds"),
        widget=text(inputmode="decimal"),
    )
    reason = forms.CharField(label=_("Why"), max_length=500, widget=text())
