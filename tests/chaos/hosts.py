"""Hosts of our own: network namespaces, each joined to ours by a cable (a veth pair) that can be pulled out.

This process leaves the machine's network for one of its own first, so that nothing of it is seen outside, and all of it
is gone with the last of our processes.
"""

import ctypes
import os
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.broker import tied

CLONE_NEWNET = 0x40000000
PORT = 6380
"""Of the broker, on our side of each cable."""
SETTLE_SECONDS = 15.0
"""After a cut both ends wait longer and longer before they send again; for so long a host is not counted on."""


@dataclass(slots=True, kw_only=True)
class Host:
    """One namespace. `here` is our address as it is seen from there."""

    number: int
    here: str
    there: str
    holder: "subprocess.Popen[bytes]"
    away_until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def within(self) -> list[str]:
        """Put before a command, it runs on this host."""
        return ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net"]

    def cut(self, seconds: float) -> None:
        """Pull the cable out for so long."""
        with self._lock:
            self.away_until = max(self.away_until, time.monotonic() + seconds + SETTLE_SECONDS)
        _ip("link", "set", f"cable{self.number}", "down")

    def join(self) -> None:
        _ip("link", "set", f"cable{self.number}", "up")

    def reachable(self) -> bool:
        """Whether work may be expected of it."""
        return time.monotonic() > self.away_until


def leave_the_network() -> None:
    """From now on this process and its children have a network of their own, which ends at this machine."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET):
        raise SystemExit(f"--namespaces needs rights over networks, as root has: {os.strerror(ctypes.get_errno())}")
    _ip("link", "set", "lo", "up")


def hosts(number: int) -> list[Host]:
    """So many hosts, joined to us. `leave_the_network` comes first."""
    return [_host(each) for each in range(1, number + 1)]


def _host(number: int) -> Host:
    holder = subprocess.Popen([*tied(), "unshare", "--net", "sleep", "infinity"], start_new_session=True)
    host = Host(number=number, here=f"10.213.{number}.1", there=f"10.213.{number}.2", holder=holder)
    ours = Path("/proc/self/ns/net").readlink()
    until = time.monotonic() + 10
    while not _elsewhere(holder.pid, ours):
        if time.monotonic() > until:
            raise SystemExit("A network namespace could not be made.")
        time.sleep(0.02)
    _ip("link", "add", f"cable{number}", "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
    _ip("address", "add", f"{host.here}/30", "dev", f"cable{number}")
    _ip("link", "set", f"cable{number}", "up")
    for words in (["address", "add", f"{host.there}/30", "dev", "eth0"], ["link", "set", "eth0", "up"]):
        subprocess.run([*host.within, "ip", *words], check=True)
    subprocess.run([*host.within, "ip", "link", "set", "lo", "up"], check=True)
    return host


def _elsewhere(pid: int, ours: Path) -> bool:
    process = Path(f"/proc/{pid}")
    try:
        return (process / "ns/net").readlink() != ours and (process / "cmdline").read_bytes().startswith(b"sleep")
    except OSError:
        return False


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
