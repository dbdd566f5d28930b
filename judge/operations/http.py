"""How uvicorn reads requests for us: at most so much of a head, and for no longer than a request may take."""

import asyncio

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_BYTES = 64 << 10
"""The request line and all headers together; of more not all is read (400). Bodies are bounded in judge.web."""


class BoundedHead(H11Protocol):
    """Hangs up on whoever has not sent the whole head of a request in time."""

    _hang_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._hang_up is None:
            self._hang_up = self.loop.call_later(settings.REQUEST_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._hang_up is not None:
            self._hang_up.cancel()
            self._hang_up = None
