"""What goes wrong: one function a kind. Each is over within a few seconds; what it broke is for others to mend."""

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Mapping

import psutil
import redis

from tests.chaos.site import Site
from tests.site import Part

FULL_SECONDS = 8.0


def worker(site: Site, dice: random.Random) -> str:
    """A worker is killed, with everything it started."""
    victim = dice.choice(site.workers)
    victim.signal(signal.SIGKILL)
    return victim.name


def child(site: Site, dice: random.Random) -> str:
    """A process in which a worker judges is killed; the worker itself lives."""
    victim = dice.choice(site.workers)
    return _kill_one(victim, dice, lambda process: process.name() != "launcher" and "manage.py" in process.cmdline())


def slot(site: Site, dice: random.Random) -> str:
    """A launcher of the sandbox is killed in the middle of whatever it runs."""
    victim = dice.choice(site.workers)
    return _kill_one(victim, dice, lambda process: process.name().startswith("launcher"))


def sweeper(site: Site, dice: random.Random) -> str:
    victim = dice.choice(site.sweepers)
    victim.signal(signal.SIGKILL)
    return victim.name


def broker(site: Site, dice: random.Random) -> str:
    site.broker.signal(signal.SIGKILL)
    return "killed"


def messages(site: Site, dice: random.Random) -> str:
    """Every message is lost."""
    with redis.Redis.from_url(site.environment["REDIS_URL"], socket_timeout=2) as client:
        try:
            client.flushall()
        except redis.RedisError as error:
            return f"not reached: {error}"
    return "lost"


def postgres(site: Site, dice: random.Random) -> str:
    """The database crashes; it is started again and recovers."""
    if site.postgres is None:
        return "none"
    site.postgres.crash()
    return "crashed"


def sleeper(site: Site, dice: random.Random) -> str:
    """A worker stands still until its leases have run out, and then goes on as if nothing had been."""
    victim = dice.choice(site.workers)
    held = victim.everything()
    _signal(held, signal.SIGSTOP)
    seconds = float(site.environment["PALFREY_LEASE_SECONDS"]) + dice.uniform(1, 8)
    _later(seconds, lambda: _signal(held, signal.SIGCONT))
    return f"{victim.name} for {seconds:.0f} s"


def disk(site: Site, dice: random.Random) -> str:
    """The disk of a worker is full to the last byte for a while."""
    victim = dice.choice(site.workers)
    junk = site.cache_of(victim) / "junk"
    with contextlib.suppress(OSError), junk.open("wb") as file:
        while True:
            file.write(bytes(1 << 20))
            file.flush()
    _later(FULL_SECONDS, lambda: junk.unlink(missing_ok=True))
    return victim.name


def stop(site: Site, dice: random.Random) -> str:
    """A worker is asked to end, as for an upgrade; another takes its place."""
    victim = dice.choice(site.workers)
    victim.signal(signal.SIGTERM)
    return victim.name


def cable(site: Site, dice: random.Random) -> str:
    """A host is cut off from database and broker until the leases of its workers have run out."""
    if not site.hosts:
        return "none"
    host = dice.choice(site.hosts)
    seconds = float(site.environment["PALFREY_LEASE_SECONDS"]) + dice.uniform(6, 12)
    host.cut(seconds)
    _later(seconds, host.join)
    return f"host {host.number} for {seconds:.0f} s"


KINDS: Mapping[str, Callable[[Site, random.Random], str]] = {
    each.__name__: each
    for each in (worker, child, slot, sweeper, broker, messages, postgres, sleeper, disk, stop, cable)
}


def kinds_for(site: Site) -> list[str]:
    there = {"postgres": site.postgres is not None, "cable": bool(site.hosts) and site.postgres is not None}
    return [name for name in KINDS if there.get(name, True)]


def _kill_one(victim: Part, dice: random.Random, wanted: Callable[[psutil.Process], bool]) -> str:
    found = []
    for process in victim.everything()[1:]:
        with contextlib.suppress(psutil.Error):
            if wanted(process):
                found.append(process)
    if not found:
        return f"{victim.name}: none there"
    chosen = dice.choice(found)
    with contextlib.suppress(ProcessLookupError, psutil.Error):
        os.kill(chosen.pid, signal.SIGKILL)
    return f"{victim.name}: {chosen.pid}"


def _signal(processes: list[psutil.Process], number: int) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(number)


def _later(seconds: float, action: Callable[[], None]) -> None:
    def run() -> None:
        time.sleep(seconds)
        action()

    threading.Thread(target=run, daemon=True).start()
