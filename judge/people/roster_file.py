"""What a list of people says: CSV with commas, semicolons or tabs, its columns named by the first line."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from judge.people.models import CourseRole, User
from judge.people.refusal import Refused

ROWS = 5_000
BYTES = 2 << 20

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "username": ("username", "user name", "user", "login", "account"),
    "email": ("email", "e-mail", "mail", "email address", "e-mail address", "mail address"),
    "name": ("name", "full name", "student", "student name"),
    "first_name": ("first name", "firstname", "first_name", "given name", "given names"),
    "last_name": ("last name", "lastname", "last_name", "surname", "family name"),
    "section": ("section", "group"),
    "role": ("role",),
}
"""What a column means -> how its head may be written."""
SEP = re.compile(r'\A\s*"?sep=[,;\t]"?[,;\t]*\r?\n', re.IGNORECASE)
"""What Excel may write first, about itself."""
OPEN = "unexpected end of data"
"""What Python's reader says where the last quotation mark is not closed."""
HEADS = {head: meaning for meaning, heads in COLUMNS.items() for head in heads}
LENGTHS = {"username": 150, "email": 254, "name": 250, "first_name": 150, "last_name": 150, "section": 80, "role": 16}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the file; an empty value changes nothing."""

    line: int
    username: str = ""
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    section: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why the file is not taken. `line` 0: the file as a whole."""

    line: int
    text: str


def text_of(content: bytes) -> str:
    """The text of a file as it was uploaded. Raises `Refused`."""
    if len(content) > BYTES:
        raise Refused(_("This file is too long for a list of people: at most 2 MiB are taken."))
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in content:
        raise Refused(
            _("This is no CSV in UTF-8 (perhaps a spreadsheet, or UTF-16). Save it as “CSV UTF-8” and send it again.")
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused(
            _(
                "Line %(line)s is not written in UTF-8, so names would come out wrong. Save the file as “CSV UTF-8” "
                "and send it again."
            )
            % {"line": line}
        ) from None


def read(text: str) -> tuple[list[Row], list[Fault], list[str], list[str]]:
    """The rows, what is wrong, columns without a meaning, and what else should be said."""
    text = unicodedata.normalize("NFC", text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))
    if len(text) > BYTES or "\0" in text:
        return [], [Fault(line=0, text=_("This is no list of people."))], [], []
    try:
        lines = list(_lines(text))
    except _Unreadable as error:
        return [], [error.fault], [], []
    if not lines:
        return [], [Fault(line=0, text=_("The file is empty. Its first line must name the columns."))], [], []
    (_number, head), *rest = lines
    meanings = [HEADS.get(" ".join(cell.casefold().split())) for cell in head]
    ignored = [cell for cell, meaning in zip(head, meanings, strict=True) if meaning is None and cell.strip()]
    known = [meaning for meaning in meanings if meaning]
    faults = []
    if not {"username", "email"} & set(known):
        faults.append(
            Fault(line=1, text=_("The first line must name the columns, and one of them must be username or email."))
        )
    twice = sorted({one for one in known if known.count(one) > 1})
    faults += [
        Fault(line=1, text=_("Two columns are called %(meaning)s. Take one out.") % {"meaning": meaning})
        for meaning in twice
    ]
    if len(rest) > ROWS:
        faults.append(
            Fault(
                line=0,
                text=_("The file has %(rows)s rows; at most %(most)s are taken at once.")
                % {"rows": f"{len(rest):,}", "most": f"{ROWS:,}"},
            )
        )
    if faults:
        return [], faults, ignored, []
    rows, notes = [], []
    seen: dict[tuple[str, str], Row] = {}
    for number, cells in rest:
        row, wrong = _row(number, meanings, cells)
        faults += [Fault(line=number, text=one) for one in wrong]
        if wrong:
            continue
        keys = [(kind, value.casefold()) for kind in ("username", "email") if (value := getattr(row, kind))]
        before = next((seen[key] for key in keys if key in seen), None)
        if before is None:
            rows.append(row)
            seen.update(dict.fromkeys(keys, row))
        elif _same(before, row):
            notes.append(
                _("Line %(line)s says the same as line %(before)s and is left out.")
                % {"line": number, "before": before.line}
            )
        else:
            faults.append(
                Fault(
                    line=number,
                    text=_("This person is in line %(line)s too, with other words. Keep one.") % {"line": before.line},
                )
            )
    return rows, faults, ignored, notes


class _Unreadable(Exception):
    """The text is no CSV; `fault` says where and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that has something in it."""
    text = SEP.sub("\n", text)
    first = text.lstrip("\r\n").splitlines()[0] if text.strip() else ""
    delimiter = max(
        ",;\t", key=lambda one: sum(HEADS.get(cell.strip(' "').casefold()) is not None for cell in first.split(one))
    )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        if str(error) == OPEN:
            told = _("A quotation mark that opens here is not closed: all the rest would be one cell.")
        else:
            told = _("This is no CSV that can be read: %(error)s.") % {"error": error}
        raise _Unreadable(Fault(line=begins, text=told)) from None


def _row(number: int, meanings: Sequence[str | None], cells: Sequence[str]) -> tuple[Row, list[str]]:
    if len(cells) > len(meanings) and any(cell.strip() for cell in cells[len(meanings) :]):
        return Row(line=number), [
            _("It has %(cells)s cells where the first line names %(columns)s columns.")
            % {"cells": len(cells), "columns": len(meanings)}
        ]
    values = {meaning: _plain(cell) for meaning, cell in zip(meanings, cells, strict=False) if meaning}
    wrong = [
        _("The %(column)s has more than %(most)s letters, or signs that cannot be printed.")
        % {"column": meaning.replace("_", " "), "most": LENGTHS[meaning]}
        for meaning, value in values.items()
        if len(value) > LENGTHS[meaning] or not value.isprintable()
    ]
    if wrong:
        return Row(line=number), wrong
    first, last = _names(values)
    row = Row(
        line=number,
        username=User.normalize_username(values.get("username", "")),
        email=values.get("email", ""),
        first_name=first,
        last_name=last,
        section=values.get("section", ""),
        role=values.get("role", "").casefold(),
    )
    if not row.username and not row.email:
        wrong.append(_("It has neither a username nor a mail address."))
    if row.email and not _is_email(row.email):
        wrong.append(_("“%(email)s” is no mail address.") % {"email": row.email})
    if row.username and not _is_username(row.username):
        wrong.append(
            _("“%(username)s” is no username: letters, digits and @ . + - _ only.") % {"username": row.username}
        )
    if row.role and row.role not in CourseRole.values:
        wrong.append(_("“%(role)s” is no role. Roles are student, assistant and instructor.") % {"role": row.role})
    return row, wrong


def _plain(cell: str) -> str:
    """One line; without the apostrophe that exports put before what a spreadsheet would take for a formula."""
    text = " ".join(cell.split())
    return text[1:] if text[:1] == "'" and text[1:2] in {"=", "+", "-", "@"} else text


def _names(values: Mapping[str, str]) -> tuple[str, str]:
    """First and last name; of one column `Ana Lima` and `Lima, Ana` alike."""
    first, last, whole = (values.get(key, "") for key in ("first_name", "last_name", "name"))
    if first or last or not whole:
        return first, last
    if "," in whole:
        last, _, first = whole.partition(",")
        return first.strip()[:150], last.strip()[:150]
    first, _, last = whole.rpartition(" ")
    return (first[:150], last[:150]) if first else (last[:150], "")


def _same(one: Row, other: Row) -> bool:
    keys = ("username", "email", "first_name", "last_name", "section", "role")
    return all(getattr(one, key) == getattr(other, key) for key in keys)


def _is_email(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def _is_username(text: str) -> bool:
    try:
        User.username_validator(text)
    except ValidationError:
        return False
    return True
