"""Times are written in the reader's own zone, which a small script leaves in a cookie."""

import zoneinfo
from urllib.parse import unquote

from django.http import HttpRequest
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

KNOWN_ZONES = frozenset(zoneinfo.available_timezones())


def zone_of(request: HttpRequest) -> zoneinfo.ZoneInfo | None:
    """The zone of the cookie, or None when there is none or it names no zone."""
    name = unquote(request.COOKIES.get("zone", ""))
    return zoneinfo.ZoneInfo(name) if name in KNOWN_ZONES else None


class ReaderZone(MiddlewareMixin):
    """Writes every time of a page in the reader's zone; the site's own where it is not known yet."""

    def process_request(self, request: HttpRequest) -> None:
        known = zone_of(request)
        if known is None:
            timezone.deactivate()
        else:
            timezone.activate(known)
