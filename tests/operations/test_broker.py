"""The embedded broker: a real server, reached by a socket only, that keeps what it was given."""

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from judge.config import local
from judge.operations import broker

Start = Callable[[], "subprocess.Popen[bytes]"]


def test_what_was_queued_outlives_a_kill(start_broker: Start, tmp_path: Path) -> None:
    client = redis.Redis.from_url(f"unix://{tmp_path}/b.sock")
    first = start_broker()
    for number in range(200):
        client.lpush("queue", number)
    first.kill()
    first.wait()
    start_broker()
    assert client.llen("queue") == 200


def test_it_never_drops_messages_to_make_room_and_listens_on_no_port(start_broker: Start, tmp_path: Path) -> None:
    process = start_broker()
    client = redis.Redis.from_url(f"unix://{tmp_path}/b.sock")
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert client.config_get("port") == {"port": "0"}
    assert (tmp_path / "b.sock").stat().st_mode & 0o777 == 0o600
    assert process.poll() is None


def test_no_answer_is_said(tmp_path: Path) -> None:
    assert not broker.answers(f"unix://{tmp_path}/nobody.sock")
    with pytest.raises(broker.BrokerFault, match="does not answer"):
        broker.wait_for(f"unix://{tmp_path}/nobody.sock", seconds=0.1)


def test_the_socket_fits_however_long_the_folder_is(tmp_path: Path) -> None:
    assert local.broker_socket(Path("/short")) == Path("/short/broker.sock")
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    path = local.broker_socket(deep)
    assert len(os.fsencode(path)) < 108
    assert path == local.broker_socket(deep) != local.broker_socket(deep / "other")
    broker.command(path, deep)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.unlink()
    path.parent.rmdir()


def test_a_server_is_found_on_the_path_when_none_is_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "pdp11")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(broker.BrokerFault, match="install redis-server, or set REDIS_URL"):
        broker.program()
    server = tmp_path / "redis-server"
    server.touch(mode=0o755)
    assert broker.program() == str(server)
