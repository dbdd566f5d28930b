"""The whole site on one machine, in the foreground: what `./palfrey up` does."""

import contextlib
import fcntl
import os
import secrets
import shutil
import socket
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command

from judge.config import local
from judge.config.celery import AUTHORING_QUEUE, FEEDBACK_QUEUE, LIVE_QUEUE, REGRADE_QUEUE
from judge.operations import accounts, broker
from judge.operations.supervisor import Child, Supervisor
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault

ADDRESS = "127.0.0.1"
MOST_WORKERS = 8
"""No more than this many without being told, however many cores there are."""


class CannotStart(Exception):
    """The site cannot be started here and now; the message is one line that says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What `up` was asked for."""

    port: int
    """0: any free one."""
    workers: int
    """Submissions judged at the same time."""
    languages: str
    """Ids of those that are offered, separated by commas."""
    demo: bool
    """Make accounts to try the site with when it has none."""


def workers_here() -> int:
    """One for each core this process may use, up to `MOST_WORKERS`."""
    return min(len(os.sched_getaffinity(0)), MOST_WORKERS)


def serve(wishes: Wishes) -> None:
    """Prepare the site and keep it up until asked to stop. Raises `CannotStart`."""
    try:
        settings.VAR.mkdir(parents=True, exist_ok=True)
        settings.VAR.chmod(0o700)  # sessions, password hashes, test data and keys lie in it
    except PermissionError:
        raise CannotStart(
            f"{settings.VAR} belongs to somebody else, perhaps to root, who was here before: "
            "set PALFREY_VAR to another folder, or give it to the user who runs this (chown -R)."
        ) from None
    with alone(settings.VAR / "up.lock"), _listening(wishes.port) as listener:
        supervisor = Supervisor(logs=settings.VAR / "log", environment=_environment())
        try:
            _prepare(wishes)
            _start_broker(supervisor)
            for child in _children(listener, wishes):
                supervisor.start(child)
            port = listener.getsockname()[1]
            supervisor.ready = _Knock(port)
            supervisor.when_ready = lambda: _welcome(port)
            supervisor.run()
        except (broker.BrokerFault, SandboxFault) as error:
            raise CannotStart(str(error)) from error
        finally:
            print("Stopping …", flush=True)
            supervisor.stop()
            print("Stopped.", flush=True)


@contextlib.contextmanager
def alone(file: Path) -> Iterator[None]:
    """Hold `file` so that no second site runs on the same folder."""
    with file.open("a+", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotStart(
                f"Palfrey is already up here, as process {lock.read().strip() or 'unknown'}. Stop that first, "
                f"or set PALFREY_VAR to another folder for a second site."
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield


@contextlib.contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    """The socket of the web server, held here so that visitors wait, and are not sent away, while it starts again."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, port))
        except OSError as error:
            raise CannotStart(
                f"Port {port} cannot be had ({error.strerror}). Choose another one: ./palfrey up --port {port + 1}"
            ) from None
        listener.listen(512)
        yield listener


def _environment() -> dict[str, str]:
    """What the children get: ours, and the secret key, which is made on the first start."""
    if os.environ.get("PALFREY_SECRET_KEY"):
        return {**os.environ, "PYTHONUNBUFFERED": "1"}
    file = local.secret_key_file(settings.VAR)
    if not file.exists():
        key = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(64))
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as text:
            text.write(f"{key}\n")
    return {**os.environ, "PYTHONUNBUFFERED": "1", "PALFREY_SECRET_KEY": local.secret_key(settings.VAR)}


def _prepare(wishes: Wishes) -> None:
    """Launcher, database, problems, accounts; quick when nothing has changed."""
    for program, package, language in (("java", "default-jdk-headless", "Java"), ("node", "nodejs", "JavaScript")):
        if not shutil.which(program):
            print(f"{language} is not offered: {program} is missing (on Debian: apt-get install {package}).")
    # Compiles the launcher and tries what the host can do.
    open_sandbox(settings.PALFREY_CACHE / "sandbox", laptop=settings.LAPTOP).close()
    if settings.LAPTOP:
        print(
            "Laptop mode, for programs that you trust: memory and CPU time are only looked at now and then, memory "
            "of the kernel's is not seen, and programs have your own number (more: python3 -m sandbox --laptop doctor)."
        )
    call_command("migrate", interactive=False, verbosity=0)
    if not settings.LOCAL:
        call_command("collectstatic", interactive=False, verbosity=0)
    if wishes.demo:
        accounts.make_demo_accounts(settings.VAR / "accounts.txt")
    print("Making the built-in problems ready (about a minute on the first start) …", flush=True)
    try:
        call_command("publish", builtin=True)
    except CommandError as error:
        print(f"Some built-in problems could not be published: {error}", file=sys.stderr)
    if wishes.demo and (settings.VAR / "accounts.txt").exists():
        accounts.make_demo_course()


def _start_broker(supervisor: Supervisor) -> None:
    if settings.EMBEDDED_BROKER:
        command = broker.command(settings.EMBEDDED_BROKER, settings.VAR / "broker")
        supervisor.start(Child(name="broker", argv=command, grace=10, shown=False))
    broker.wait_for(settings.REDIS_URL)


def _children(listener: socket.socket, wishes: Wishes) -> Iterator[Child]:
    """In the order of starting, which is the reverse of the order of stopping."""
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
    yield Child(name="sweeper", argv=[*manage, "sweeper"], grace=5)
    worker = [*manage, "worker", "--languages", wishes.languages]
    yield Child(name="worker", argv=[*worker, "--queues", LIVE_QUEUE, "--concurrency", str(wishes.workers)], grace=15)
    background = ["--queues", f"{AUTHORING_QUEUE},{REGRADE_QUEUE}", "--concurrency", "1", "--name", "desk"]
    yield Child(name="desk", argv=[*worker, *background], grace=15)
    feedback = ["--queues", FEEDBACK_QUEUE, "--concurrency", "1", "--name", "feedback"]
    yield Child(name="feedback", argv=[*worker, *feedback], grace=15)
    descriptor = listener.fileno()
    yield Child(name="web", argv=[*manage, "web", "--fd", str(descriptor)], grace=8, descriptors=(descriptor,))


class _Knock:
    """Asks the web server whether it answers, without ever waiting for it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def __call__(self) -> bool:
        try:
            if self._socket is None:
                self._socket = socket.create_connection((ADDRESS, self._port), timeout=1)
                self._socket.setblocking(False)
                self._socket.sendall(b"GET /health/live HTTP/1.0\r\nHost: localhost\r\n\r\n")
            answer = self._socket.recv(64)
        except BlockingIOError:
            return False
        except OSError:
            answer = b""
        if self._socket:
            self._socket.close()
            self._socket = None
        return answer.startswith(b"HTTP/1.1 200")


def _welcome(port: int) -> None:
    file = settings.VAR / "accounts.txt"
    lines = ["", f"Palfrey is up at http://{ADDRESS}:{port}/"]
    lines += [f"  {name:<12}{password}" for name, password in accounts.demo_accounts(file)]
    if len(lines) > 2:
        lines.append(f"  (these accounts are kept in {file})")
    print(*lines, "Ctrl-C stops it.", "", sep="\n", flush=True)
