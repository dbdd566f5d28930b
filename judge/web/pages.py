"""Long lists in pages, whose work does not grow with the length of the list."""

from functools import cached_property

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet

MOST = 2_500
"""Rows that can be leafed through; what is older is found by narrowing the list down."""


class LongList(Paginator):  # type: ignore[type-arg]
    """The newest rows of a query, a page at a time. They are counted up to `MOST` only."""

    def __init__(self, rows: QuerySet[Model], per_page: int) -> None:
        super().__init__(rows, per_page)
        self._rows = rows

    def page(self, number: int | str) -> Page:  # type: ignore[type-arg]
        """As of every paginator; what lies before the page is passed over by key, without what is shown of a row."""
        number = self.validate_number(number)
        if number == 1:
            return super().page(number)
        start = (number - 1) * self.per_page
        keys = list(self._rows.values_list("pk", flat=True)[start : min(start + self.per_page, self.count)])
        return Page(self._rows.filter(pk__in=keys), number, self)

    @cached_property
    def count(self) -> int:
        return min(self._counted, MOST)

    @property
    def goes_on(self) -> bool:
        """There are more rows than can be leafed through."""
        return self._counted > MOST

    @cached_property
    def _counted(self) -> int:
        return self._rows.order_by().values("pk")[: MOST + 1].count()
