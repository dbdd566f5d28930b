"""The web server as `./palfrey web` runs it: nobody can hold it up with what they send, or by sending nothing."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT

SECONDS = 2
"""For so long a request is read here."""
LIVE = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder: Path = tmp_path_factory.mktemp("web")
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PALFREY", "DJANGO", "REDIS"))}
    own |= {"PALFREY_LOCAL": "1", "PALFREY_VAR": str(folder), "PALFREY_SECRET_KEY": "x" * 60,
            "PALFREY_REQUEST_SECONDS": str(SECONDS)}  # fmt: skip
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        command = [sys.executable, str(ROOT / "manage.py"), "web", "--fd", str(listener.fileno())]
        server = subprocess.Popen(command, env=own, pass_fds=[listener.fileno()])
        yield listener.getsockname()[1]
        server.terminate()
        server.wait(20)


def sent(port: int, *pieces: bytes, pause: float = 0) -> tuple[bytes, float]:
    """What came back until the server hung up, and after how many seconds it did."""
    began = time.monotonic()
    came = b""
    with socket.create_connection(("127.0.0.1", port), timeout=8) as link:
        try:
            for piece in pieces:
                link.sendall(piece)
                time.sleep(pause)
            while piece := link.recv(1 << 16):
                came += piece
        except ConnectionError:
            pass
    return came, time.monotonic() - began


def test_a_head_without_end_is_refused_at_once(port: int) -> None:
    answer, _ = sent(port, LIVE + b"Connection: close\r\n\r\n")  # it is up
    assert answer.startswith(b"HTTP/1.1 200")
    piece = b"x" * (1 << 20)
    answer, seconds = sent(port, LIVE + b"X: ", *[piece] * 50)
    assert b" 200 " not in answer
    assert seconds < 1
    answer, _ = sent(port, LIVE + b"X: " + b"x" * 8000 + b"\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200"), "a long one is no harm"


@pytest.mark.parametrize(
    "begun", [b"", b"GET / HT", LIVE, LIVE + b"\r\n" + LIVE], ids=["nothing", "line", "head", "second"]
)
def test_who_never_ends_a_head_is_hung_up_on(port: int, begun: bytes) -> None:
    sent(port, LIVE + b"Connection: close\r\n\r\n")
    _, seconds = sent(port, begun)
    assert seconds < SECONDS + 5


def test_who_drips_a_head_is_hung_up_on(port: int) -> None:
    sent(port, LIVE + b"Connection: close\r\n\r\n")
    _, seconds = sent(port, LIVE, *[b"X: y\r\n"] * 30, pause=0.2)
    assert seconds < SECONDS + 2


@pytest.mark.parametrize("body", [b"", b"half"])
def test_a_body_that_never_comes_is_not_waited_for(port: int, body: bytes) -> None:
    sent(port, LIVE + b"Connection: close\r\n\r\n")
    head = b"POST /account/sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
    answer, seconds = sent(port, head + body)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"Too slow" in answer
    assert SECONDS - 1 < seconds < SECONDS + 2
