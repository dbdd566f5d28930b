"""Grades as CSV and XLSX. A cell of text that a spreadsheet would take for a formula is made harmless."""

import csv
import io
from collections.abc import Iterator, Sequence
from decimal import Decimal

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from judge.assignments.models import AssignmentProblem
from judge.grades.gradebook import Cell, Gradebook
from judge.grades.score import rounded

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # also the wide ones that Excel takes as well

COLUMN_LETTERS, NUMBER_LETTERS = 40, 7
"""So many letters of a column are seen at most, and so many a number takes."""


def safe(text: str) -> str:
    """`text` with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text.startswith(FORMULA) else text


def csv_of(book: Gradebook) -> bytes:
    """UTF-8 with a BOM, as spreadsheets like it."""
    text = io.StringIO()
    writer = csv.writer(text)
    for line in _lines(book):
        writer.writerow([safe(cell) if isinstance(cell, str) else _number(cell) for cell in line])
    return text.getvalue().encode("utf-8-sig")


def xlsx_of(book: Gradebook, title: str) -> bytes:
    """One sheet; grades are numbers, everything else is text and never a formula."""
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet("".join(letter for letter in title if letter not in r"[]:*?/\'")[:31] or "grades")
    sheet.freeze_panes = "D2"
    lines = list(_lines(book))
    for number, column in enumerate(zip(*lines, strict=True), 1):
        longest = max(len(one) if isinstance(one, str) else NUMBER_LETTERS for one in column)
        sheet.column_dimensions[get_column_letter(number)].width = min(longest, COLUMN_LETTERS) + 2
    for number, line in enumerate(lines):
        cells = []
        for value in line:
            cell = WriteOnlyCell(sheet, value=None)
            if isinstance(value, str):
                cell.value = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", value)[:32_000]
                cell.data_type = "s"
                cell.quotePrefix = safe(value) != value  # so that it stays text when somebody edits the cell
            elif value is not None:
                cell.value = value
                cell.number_format = "0" if isinstance(value, int) else "0.00"
            if number == 0:
                cell.font = Font(bold=True)
            cells.append(cell)
        sheet.append(cells)
    kept = io.BytesIO()
    workbook.save(kept)
    return kept.getvalue()


Value = str | Decimal | int | None


def _lines(book: Gradebook) -> Iterator[Sequence[Value]]:
    heads = [f"{_called(entry)} ({_number(entry.points)})" for entry in book.entries]
    yield ["username", "name", "section", *heads, "sum", "of", "per cent", "not judged yet", "set by hand"]
    for line in book.lines:
        member = line.membership
        percent = line.percent
        yield [
            member.user.username,
            str(member.user),
            member.section.name if member.section else "",
            *(_cell(cell) for cell in line.cells),
            rounded(line.total),
            rounded(line.worth),
            None if percent is None else rounded(percent),
            sum(cell.asked and cell.score.pending for cell in line.cells) or None,
            "; ".join(_called(cell.entry) for cell in line.cells if cell.counts and cell.adjusted),
        ]


def _called(entry: AssignmentProblem) -> str:
    return f"{entry.assignment.title}: {entry.problem.slug}"


def _cell(cell: Cell) -> str | Decimal | None:
    if not cell.asked:
        return None
    return "exempt" if cell.score.exempt else rounded(cell.points)


def _number(value: Decimal | int | None) -> str:
    return "" if value is None else str(value) if isinstance(value, int) else f"{value:.2f}"
