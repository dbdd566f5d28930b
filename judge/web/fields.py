"""Fields of forms that more than one desk has: numbers in the reader's language, moments on the clock of a course."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

CLOCK = "%Y-%m-%dT%H:%M"
CLOCKS = (CLOCK, f"{CLOCK}:%S", "%Y-%m-%d %H:%M")


class NumberField(forms.DecimalField):
    """Shown with the decimal sign of the reader's language, as everywhere; taken with it, or with a point."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(localize=True, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        try:
            number = Decimal(value) if isinstance(value, str) else None
        except InvalidOperation:
            number = None
        return number if number is not None and number.is_finite() else value


class MomentField(forms.DateTimeField):
    """A moment on the clock of a course. An hour that does not exist there, or comes twice, is refused."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"class": "input", "type": "datetime-local"}, format=CLOCK)
        super().__init__(input_formats=CLOCKS, widget=widget, **kwargs)
        self.error_messages["invalid"] = _("Write day and hour as 2026-12-04T23:59.")
        self.zone: ZoneInfo = ZoneInfo("UTC")
        self.kept: datetime | None = None
        """What stands now: shown and sent back untouched, it stays to the second, and in which hour it is."""

    def prepare_value(self, value: Any) -> Any:
        return value.astimezone(self.zone).replace(tzinfo=None) if isinstance(value, datetime) else value

    def to_python(self, value: Any) -> datetime | None:
        if value in self.empty_values:
            return None
        if self.kept and str(value).strip() == self.prepare_value(self.kept).strftime(CLOCK):
            return self.kept
        clock = None
        for written in CLOCKS:
            try:
                clock = datetime.strptime(str(value).strip(), written)  # noqa: DTZ007 - the zone is the course's
                break
            except ValueError:
                continue
        if clock is None or not 1990 <= clock.year <= 2200:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        first, second = (clock.replace(tzinfo=self.zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        if self.prepare_value(second) != clock:
            raise ValidationError(
                _("This hour does not exist in %(zone)s: clocks go forward over it. Choose another.")
                % {"zone": self.zone.key}
            )
        if first != second:
            raise ValidationError(
                _("This hour comes twice in %(zone)s: clocks go back over it. Choose one before or after it.")
                % {"zone": self.zone.key}
            )
        return first
