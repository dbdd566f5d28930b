"""Production is safe or does not start; one's own machine needs no setting at all."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operations.conftest import ROOT


def manage(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def ask(environment: dict[str, str], expression: str) -> str:
    """What an expression of the settings gives; nothing else of a site is started for it."""
    code = f"from judge.config import settings; print({expression})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_production_passes_the_deployment_check(production: dict[str, str]) -> None:
    done = manage(production, "check", "--deploy", "--fail-level", "WARNING")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"PALFREY_SECRET_KEY": ""}, "PALFREY_SECRET_KEY"),
        ({"PALFREY_SECRET_KEY": "short"}, "at least 50 characters"),
        ({"PALFREY_SECRET_KEY": "a" * 80}, "random string"),
        ({"PALFREY_HOSTS": ""}, "PALFREY_HOSTS"),
        ({"PALFREY_HOSTS": "*"}, "without *"),
        ({"PALFREY_DEBUG": "1"}, "PALFREY_DEBUG"),
        ({"PALFREY_SANDBOX": "laptop"}, "PALFREY_SANDBOX=laptop does not hold every limit"),
        ({"PALFREY_SANDBOX": "none"}, "PALFREY_SANDBOX is either"),
        ({"PALFREY_LOCAL": "1"}, "PALFREY_LOCAL is for one's own machine"),
    ],
)
def test_an_unsafe_start_is_refused_in_one_line(production: dict[str, str], change: dict[str, str], said: str) -> None:
    done = manage({**production, **change}, "check")
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert said in done.stderr


def test_production_keeps_cookies_to_tls_and_trusts_its_own_names(production: dict[str, str]) -> None:
    assert ask(production, "settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.DEBUG") == (
        "True True False"
    )
    assert ask(production, "settings.CSRF_TRUSTED_ORIGINS") == "['https://judge.example.org', 'https://*.example.net']"


def test_ones_own_machine_needs_nothing_and_shows_no_settings(tmp_path: Path) -> None:
    own = {"PALFREY_LOCAL": "1", "PALFREY_VAR": str(tmp_path)}
    assert ask(own, "settings.DEBUG, settings.ALLOWED_HOSTS") == "False ['localhost', '127.0.0.1', '[::1]']"
    assert ask(own, "settings.REDIS_URL") == f"unix://{tmp_path}/broker.sock"
    (tmp_path / "secret-key").write_text("$the key of this machine\n")
    assert ask(own, "settings.SECRET_KEY") == "$the key of this machine", "one key in fifty begins with $"
    assert (
        ask({**own, "REDIS_URL": "redis://far/0"}, "settings.REDIS_URL, settings.EMBEDDED_BROKER")
        == "redis://far/0 None"
    )


def test_the_laptop_mode_is_chosen_by_name_alone(tmp_path: Path) -> None:
    own = {"PALFREY_LOCAL": "1", "PALFREY_VAR": str(tmp_path)}
    assert ask(own, "settings.LAPTOP") == "False"
    assert ask({**own, "PALFREY_SANDBOX": "laptop"}, "settings.LAPTOP") == "True"


def test_nothing_but_our_own_is_let_into_a_page(production: dict[str, str]) -> None:
    rules = ask(production, "settings.CONTENT_SECURITY_POLICY['DIRECTIVES']")
    assert "unsafe" not in rules
    assert "http" not in rules
    assert "default-src': [\"'none'\"]" in rules


def test_production_logs_one_json_object_a_line(production: dict[str, str]) -> None:
    code = (
        "import logging, structlog\n"
        "structlog.stdlib.get_logger('a').info('judged', submission=7)\n"
        "try:\n    1 / 0\nexcept ArithmeticError:\n    logging.getLogger('b').exception('failed for %s', 'me')"
    )
    done = manage(production, "shell", "--no-imports", "-c", code)
    first, second = map(json.loads, done.stderr.splitlines())
    assert (first["event"], first["submission"], first["level"], first["logger"]) == ("judged", 7, "info", "a")
    assert second["event"] == "failed for me"
    assert "ZeroDivisionError" in second["exception"]
    assert "timestamp" in second
