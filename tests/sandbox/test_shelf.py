"""Big files are stored once, shown to those runs only that are given them, and do not pile up."""

import tempfile
import time
from pathlib import Path

import pytest

from sandbox import shelf
from sandbox.box import LinuxSandbox
from sandbox.contract import UNCHANGING, Ending, Quota, Run, SandboxFault
from sandbox.shelf import Shelf
from tests.sandbox.programs import MIB

QUOTA = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=64 * MIB, file_bytes=4 * MIB)


def test_the_same_content_is_stored_once(tmp_path: Path) -> None:
    kept = Shelf(tmp_path / "shelf")
    content, path = bytes(MIB), tmp_path / "file"
    path.write_bytes(content)
    assert kept.place(content) == kept.place(content) == 1
    assert kept.place(path) == kept.place(path) == 2
    assert kept.place(bytes(1000)) is None
    path.write_bytes(b"1" * MIB)
    number = kept.place(path)
    assert number == 3
    assert (kept.folder / str(number)).read_bytes() == b"1" * MIB
    assert kept.folder.stat().st_mode & 0o777 == 0o700
    kept.close()
    kept.close()
    assert not kept.folder.exists()


def test_what_is_too_much_goes_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "LARGEST", 3 * MIB)
    monkeypatch.setattr(shelf, "GRACE_SECONDS", 0.05)
    kept = Shelf(tmp_path)
    contents = [bytes([number]) * MIB for number in range(5)]
    for content in contents:
        kept.place(content)
    assert len(list(kept.folder.iterdir())) == 5
    time.sleep(0.1)
    kept.place(b"x" * MIB)
    assert sorted(int(path.name) for path in kept.folder.iterdir()) == [3, 4, 5, 6]
    kept.close()


def test_shelves_of_the_dead_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "GRACE_SECONDS", -1.0)
    (tmp_path / "dead").mkdir()
    living = Shelf(tmp_path)
    other = Shelf(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {living.folder.name, other.folder.name}
    living.close()
    other.close()


def test_what_never_changes_is_linked_and_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "LARGEST", 3 * MIB)
    shelves = [Shelf(tmp_path / name) for name in ("one", "two")]
    headers = [tmp_path / f"header{number}" for number in range(3)]
    for header in headers:
        header.write_bytes(bytes(2 * MIB))
        header.chmod(UNCHANGING)
    for _ in range(2):  # each link changes the time of the file's last change
        for kept in shelves:
            assert [kept.place(header) for header in headers] == [1, 2, 3]
    assert (shelves[0].folder / "1").samefile(headers[0])
    assert headers[0].stat().st_nlink == 3
    headers[0].unlink()
    headers[0].write_bytes(bytes(2 * MIB))
    number = shelves[0].place(headers[0])
    assert number == 4
    assert not (shelves[0].folder / "4").samefile(headers[0])  # of another mode: it may change
    for kept in shelves:
        kept.close()
    assert headers[1].stat().st_nlink == 1


def test_what_cannot_be_linked_is_copied(tmp_path: Path) -> None:
    kept = Shelf(tmp_path / "shelf")
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
        file.write(bytes(MIB))
        file.flush()
        Path(file.name).chmod(UNCHANGING)
        assert kept.place(Path(file.name)) == kept.place(Path(file.name)) == 1
        assert (kept.folder / "1").read_bytes() == bytes(MIB)
    kept.close()


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    kept = Shelf(tmp_path / "shelf")
    with pytest.raises(SandboxFault, match="cannot be read"):
        kept.place(tmp_path / "missing")
    kept.close()


@pytest.mark.parametrize("mode", [0o644, UNCHANGING])
def test_a_big_file_cannot_be_changed_or_moved_and_is_gone_in_the_next_run(
    mode: int, sandbox: LinuxSandbox, tmp_path: Path
) -> None:
    big = tmp_path / "big"
    big.write_bytes(b"b" * 5 * MIB)
    big.chmod(mode)
    script = (
        "rm -f dir/big; mv dir/big other; mv dir away; true > dir/big; chmod 777 dir/big; echo x >> dir/big;"
        "wc -c < dir/big; ls -A /box; ls /shelf; ln dir/big linked"
    )
    run = Run(argv=("/bin/sh", "-c", script), quota=QUOTA, files={"dir/big": big}, keep=(".",), writable=("dir/w",))
    outcome = sandbox.run(run)
    assert outcome.stdout.split() == [str(5 * MIB).encode(), b"dir"]
    assert outcome.kept == {}
    assert big.read_bytes() == b"b" * 5 * MIB
    assert outcome.memory_bytes < 4 * MIB
    after = sandbox.run(Run(argv=("/bin/ls", "-A", "/box"), quota=QUOTA))
    assert (after.ending, after.stdout) == (Ending.EXITED, b"")
