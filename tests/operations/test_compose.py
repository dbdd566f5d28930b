"""docker-compose.yml, the Dockerfile, the settings and the commands tell the same story."""

import re
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from tests.operations.conftest import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
JUDGING = {"worker", "desk", "feedback", "publish"}
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "palfrey"}
SETTINGS = (ROOT / "judge/config/settings.py").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
NAMES = set(re.findall(r'env(?:iron)?\.\w+\(\s*"([A-Z_]+)"', SETTINGS))


def test_the_roles_are_there() -> None:
    assert set(OURS) == {"migrate", "static", "publish", "web", "worker", "desk", "feedback", "sweeper"}
    assert set(SERVICES) - set(OURS) == {"redis", "postgres"}


@pytest.mark.parametrize("name", OURS)
def test_every_environment_name_is_a_setting(name: str) -> None:
    assert set(OURS[name]["environment"]) <= NAMES
    assert {"PALFREY_SECRET_KEY", "PALFREY_HOSTS", "DATABASE_URL", "REDIS_URL"} <= set(OURS[name]["environment"])


def test_names_in_the_dockerfile_are_settings() -> None:
    assert set(re.findall(r"\b((?:PALFREY|DATABASE|REDIS|EMAIL)_[A-Z_]+)=", DOCKERFILE)) <= NAMES


@pytest.mark.parametrize("name", OURS)
def test_every_command_is_a_command_of_ours(name: str) -> None:
    assert OURS[name]["command"].split()[0] in get_commands()


def test_no_service_runs_as_if_on_ones_own_machine() -> None:
    for service in OURS.values():
        assert "PALFREY_LOCAL" not in service["environment"]
        assert "PALFREY_DEBUG" not in service["environment"]


def test_secrets_have_no_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for name in ("PALFREY_SECRET_KEY", "PALFREY_DB_PASSWORD", "PALFREY_HOSTS"):
        uses = re.findall(rf"\$\{{{name}(.)(.)", text)
        assert uses
        assert set(uses) == {(":", "?")}


def test_everything_asked_for_in_dot_env_is_used_and_the_other_way_round() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    given = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    used = re.findall(r"\$\{([A-Z_]+):([?-])", (ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert given <= {name for name, _ in used}
    assert {name for name, kind in used if kind == "?"} <= given


def test_only_who_judges_has_rights() -> None:
    assert {name for name, service in SERVICES.items() if "cap_add" in service} == JUDGING
    assert not [name for name, service in SERVICES.items() if "privileged" in service]
    for service in OURS.values():
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]


def test_nothing_that_is_checked_needs_quotation_marks_kept() -> None:
    """Podman's interface for compose splits the words of `CMD` at their spaces; those of a shell it leaves whole."""
    for service in SERVICES.values():
        test = service.get("healthcheck", {}).get("test", ["CMD"])
        assert test[0] == "CMD-SHELL" or all(" " not in word for word in test)


def test_pages_are_reached_through_a_proxy_only_and_nothing_else_is_reached() -> None:
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"]}


def test_files_are_shared_and_kept() -> None:
    for service in OURS.values():
        assert service["volumes"][0] == "data:/data"
    assert {name for name, service in OURS.items() if "cache:/cache" in service["volumes"]} == JUDGING
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service["volumes"]}
    assert used == set(COMPOSE["volumes"])
    assert "noeviction" in SERVICES["redis"]["command"]


def test_who_waits_for_whom() -> None:
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES
            healthy = how["condition"] == "service_healthy"
            assert healthy == ("healthcheck" in SERVICES[other])
            assert healthy or SERVICES[other]["restart"] == "no", f"{name} waits for {other} for ever"


def test_the_image_holds_what_is_copied_and_no_more() -> None:
    copied = {word for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE) for word in line.split()}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    assert copied == set(re.findall(r"^!(\S+)$", ignored, re.MULTILINE))
    assert all((ROOT / name).exists() for name in copied)
