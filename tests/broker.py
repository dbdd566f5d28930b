"""A real Valkey for the tests, one for each test process, on the socket that the test settings name."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import redis
from django.conf import settings

from judge.operations import tether
from judge.operations.broker import command


def tied() -> list[str]:
    """Put before a command, it makes the program die with this test process, whatever ends that."""
    return [sys.executable, "-IS", tether.__file__, str(os.getpid())]


class Broker:
    """Starts, stops and kills the server; what was in it lives on over a stop, as with the real one."""

    def __init__(self) -> None:
        self.socket = Path(settings.REDIS_URL.removeprefix("unix://"))
        assert len(str(self.socket)) < 108, "the path of a unix socket may have 107 bytes"
        self.client = redis.Redis.from_url(settings.REDIS_URL)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.socket.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [*tied(), *command(self.socket, self.socket.parent)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._wait_until_up()

    def stop(self) -> None:
        """As an operator would."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)

    def kill(self) -> None:
        """As a machine that loses its power would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)

    def freeze(self) -> None:
        """It takes connections and never answers."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def empty(self) -> None:
        self.client.flushall()

    def messages(self) -> int:
        """How many messages wait."""
        return sum(
            int(self.client.llen(name)) for name in self.client.keys("live*") if self.client.type(name) == b"list"
        )

    def _wait_until_up(self) -> None:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                self.client.ping()
            except (redis.RedisError, OSError):
                time.sleep(0.02)
            else:
                return
        raise AssertionError("the broker did not start")
