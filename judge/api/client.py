"""`./palfrey submit`: sends a program to a Palfrey and says what came of it. Needs Python alone, and may be copied.

Exit status: 0 accepted (or, with --no-follow, taken); 1 another verdict; 2 not sent, refused, or not judged.
"""

import argparse
import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ACCEPTED, NOT_ACCEPTED, NOT_DONE = 0, 1, 2
TRIES = 4
TIMEOUT_SECONDS = 30.0
"""Without a sign of life; a stream gives one every ten seconds."""
LOOK_SECONDS = 2.0
"""How often it is asked when there is no stream."""
HERE = "http://127.0.0.1:8000"
OWN_MACHINE = {"localhost", "127.0.0.1", "::1"}


class NotDone(Exception):
    """What was asked for is not done; the message says why."""


class NotThere(NotDone):
    """It is not there, or not for the owner of the token to see."""


class Away(Exception):
    """The site cannot be reached just now."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for the server that was named, and for no other one."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Server:
    """A Palfrey, and the token that it is asked with."""

    def __init__(self, address: str, token: str) -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NotDone(f"{address} is no address of a site: write it as https://judge.example.org.")
        if parts.scheme == "http" and parts.hostname not in OWN_MACHINE:
            raise NotDone("Over http: everybody on the way could read the token. Use https:.")
        self._address = address.rstrip("/")
        self._token = token
        self._opener = urllib.request.build_opener(NoRedirects)

    def ask(self, path: str, *, body: bytes | None = None, kind: str = "") -> Any:
        """The JSON that comes back. Tried again while the site is away. Raises `NotDone`."""
        for attempt in range(TRIES):
            try:
                with self._open(path, body, kind) as answer:
                    return json.load(answer)
            except (Away, OSError, ValueError) as error:
                if attempt == TRIES - 1:
                    raise NotDone(f"{self._address} does not answer: {error}") from error
                time.sleep(2**attempt / 2)
        raise AssertionError

    def events(self, path: str) -> Iterator[None]:
        """Whenever there is something new, or it is time to look. Ends never."""
        while True:
            try:
                with self._open(path) as stream:
                    for line in stream:
                        if line.startswith(b"event:"):
                            yield
            except (Away, OSError):
                pass
            time.sleep(LOOK_SECONDS)
            yield

    def _open(self, path: str, body: bytes | None = None, kind: str = "") -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "User-Agent": "palfrey-submit"}
        headers |= {"Content-Type": kind} if kind else {}
        request = urllib.request.Request(f"{self._address}/api/v1/{path}", body, headers)  # noqa: S310 - checked above
        try:
            return self._opener.open(request, timeout=TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            with error:
                if error.code >= 500:
                    raise Away(f"status {error.code}") from error
                raise (NotThere if error.code == 404 else NotDone)(_why(error)) from error


def main(arguments: list[str] | None = None) -> int:
    """Gives the exit status."""
    options = _options(arguments)
    try:
        server = Server(options.server, _token(options.token_file))
        files = _files(options.files)
        problem = options.problem or options.files[0].stem
        fields = {"language": options.language, "assignment": options.assignment, "key": secrets.token_hex(16)}
        body, kind = _form(fields, files)
        try:
            sent = server.ask(f"problems/{urllib.parse.quote(problem, safe='')}/submissions", body=body, kind=kind)
        except NotThere:
            raise NotDone(f"There is no problem {problem} that you may see. Name it by --problem.") from None
        told = f"assignment {sent['assignment']}" if sent["assignment"] else "practice"
        _say(f"Sent as {sent['id']} in {sent['language']}, for {told}: {sent['address']}")
        return _follow(server, sent["id"]) if options.follow else ACCEPTED
    except (NotDone, OSError) as error:
        print(f"palfrey submit: {_plain(str(error))}", file=sys.stderr)  # noqa: T201
        return NOT_DONE
    except KeyboardInterrupt:
        print("palfrey submit: what was sent is judged all the same", file=sys.stderr)  # noqa: T201
        return NOT_DONE


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="palfrey submit",
        description="Send a program and say what came of it. A token is made on the page API tokens.",
        epilog="Exit status: 0 accepted, 1 not accepted, 2 not sent or not judged.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="one or several files, or a ZIP")
    parser.add_argument("--problem", default="", help="its short name; else the name of the file without its ending")
    parser.add_argument("--language", default="", help="its id; else what the ending of the file says")
    parser.add_argument("--assignment", default="", help="its number, or `practice`; else what the page would choose")
    parser.add_argument("--server", default=os.environ.get("PALFREY_SERVER") or HERE, help="else PALFREY_SERVER")
    parser.add_argument("--token-file", type=Path, help="a file with the token; else PALFREY_TOKEN")
    parser.add_argument("--follow", action=argparse.BooleanOptionalAction, default=True, help="wait for the verdict")
    return parser.parse_args(arguments)


def _token(file: Path | None) -> str:
    token = file.read_text(encoding="utf-8") if file else os.environ.get("PALFREY_TOKEN", "")
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise NotDone(
            "There is no token: make one on the page API tokens, and give it by PALFREY_TOKEN or --token-file."
        )
    return token


def _files(paths: list[Path]) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in paths}
    if len(files) < len(paths):
        raise NotDone("Two files have the same name. Pack them in a ZIP, in folders of their own.")
    return files


def _form(fields: Mapping[str, str], files: Mapping[str, bytes]) -> tuple[bytes, str]:
    """A form with files, and the type of its content."""
    border = secrets.token_hex(24)
    parts = [(f'name="{name}"', value.encode()) for name, value in fields.items() if value]
    for name, content in files.items():
        quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        parts.append((f'name="files"; filename="{quoted}"\r\nContent-Type: application/octet-stream', content))
    body = b"".join(
        f"--{border}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n"
        for head, content in parts
    )
    return body + f"--{border}--\r\n".encode(), f"multipart/form-data; boundary={border}"


def _follow(server: Server, number: int) -> int:
    """Say how far it is, and then what came of it."""
    path, said = f"submissions/{number}", ""
    facts = server.ask(path)
    for _ in server.events(f"{path}/events") if not facts["final"] else ():
        facts = server.ask(path)
        if facts["final"]:
            break
        now = _standing(facts)
        if now != said:
            _say(now)
            said = now
    return _tell(facts)


def _standing(facts: Mapping[str, Any]) -> str:
    if facts["state"] == "queued":
        return "No worker is at work just now; it waits." if facts["nobody_works"] else "In the queue."
    done = f"{len(facts['cases'])} of {facts['total']} cases" if facts["total"] else "running"
    return f"Being judged: {done}." if facts["compiled"] else "Being compiled."


def _tell(facts: Mapping[str, Any]) -> int:
    verdict = facts["verdict"] or facts["state"]
    points = f", {facts['points']:g} of {facts['out_of']:g} points" if facts["points"] is not None else ""
    _say(f"{verdict.replace('_', ' ').capitalize()}{points}.")
    if facts["note"]:
        _say(facts["note"])
    if facts["verdict"] == "compile_error":
        for line in facts["compile_log"].splitlines()[:40]:
            _say(f"  {line}")
    failed = next((one for one in facts["cases"] if one["verdict"] not in ("", "accepted")), None)
    if failed is not None:
        _say(f"First failing case: {failed['name']} ({failed['position']} of {facts['total']}), {failed['verdict']}.")
        for note in (failed["note"], failed["team_note"]):
            if note and note != facts["note"]:
                _say(f"  {note}")
    if facts["verdict"] == "accepted":
        return ACCEPTED
    return NOT_DONE if verdict in ("judge_error", "abandoned") else NOT_ACCEPTED


def _why(error: urllib.error.HTTPError) -> str:
    """What the server says of a refusal."""
    try:
        told = json.load(error)
        details = "".join(f"\n  {one['at']}: {one['message']}" for one in told["details"])
        return f"{told['message']}{details}"
    except (ValueError, KeyError, TypeError, OSError):
        return f"The server answered with status {error.code}."


def _say(text: str) -> None:
    print(_plain(text), flush=True)  # noqa: T201


def _plain(text: str) -> str:
    """Nothing that a terminal would take for a command."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


if __name__ == "__main__":
    sys.exit(main())
