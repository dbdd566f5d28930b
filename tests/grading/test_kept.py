"""What was compiled is not compiled again, and never taken for something else."""

import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.grading import compilers, kept
from judge.grading.compile import compile_files, compile_program
from judge.grading.executable import Compilation
from judge.grading.kept import FolderStore, Kept, packed, unpacked
from judge.grading.language import OUT
from judge.grading.languages import LANGUAGES, SCRIPTS
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Package, Program
from sandbox.contract import Sandbox
from tests.grading.conftest import LIMITS
from tests.grading.test_ahead import Counting

C17 = LANGUAGES["c17"]
HELLO = {"main.c": b'#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'}
KEY = "ab" + "0" * 62


class Compiling:
    """Compiles with a store of its own, and counts how often the compiler was asked."""

    def __init__(self, box: Sandbox, folder: Path) -> None:
        self.box = Counting(box)
        self.folder = folder

    def __call__(self, files: dict[str, bytes] = HELLO, **changes: Any) -> Compilation:
        """As another process would: nothing in memory."""
        words = {"language": C17, "limits": LIMITS, "include": {}, **changes}
        workshop = Workshop(kept=Kept(FolderStore(self.folder)))
        return compile_files(words.pop("language"), files, words.pop("limits"), self.box, workshop=workshop, **words)

    @property
    def asked(self) -> int:
        return len(self.box.helped())

    @property
    def entries(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]


@pytest.fixture
def compiling(box: Sandbox, tmp_path: Path) -> Compiling:
    return Compiling(box, tmp_path / "compiled")


def test_the_same_is_compiled_once(compiling: Compiling) -> None:
    first, second = compiling(), compiling()
    assert compiling.asked == 1
    assert replace(second, reused=False) == first
    assert (first.reused, second.reused, second.step.reused) == (False, True, True)
    assert first.executable
    assert first.executable.files
    assert second.cpu_seconds == first.cpu_seconds > 0


def test_errors_are_kept_with_their_messages(compiling: Compiling) -> None:
    first, second = (compiling({"main.c": b"int main(void) { return x; }\n"}) for _ in range(2))
    assert compiling.asked == 1
    assert (second.verdict, second.log, second.note) == (Verdict.COMPILE_ERROR, first.log, first.note)
    assert b"undeclared" in second.log


@pytest.mark.parametrize("language", ["python3", "java", "javascript", "cpp17"])
def test_other_languages_come_back_whole(language: str, compiling: Compiling) -> None:
    row = LANGUAGES[language]
    first, second = (compiling({row.source: row.self_test}, language=row) for _ in range(2))
    assert compiling.asked == 1
    assert replace(second, reused=False) == first
    assert first.verdict is None


def test_all_that_has_a_part_in_it_is_in_the_key(
    compiling: Compiling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = tmp_path / "include" / "header.h"
    header.parent.mkdir()
    header.write_text("1")
    row = replace(C17, made_of=(str(tmp_path / "incl*"),))
    two = {"main.c": HELLO["main.c"], "a.h": b"int a;\n"}
    ways: list[tuple[dict[str, bytes], dict[str, Any]]] = [
        (two, {}),
        ({"main.c": two["main.c"] + b"int", "a.h": b" a;\n"}, {}),
        ({"a.h": two["main.c"], "main.c": two["a.h"]}, {}),
        (two, {"language": LANGUAGES["c99"]}),
        (two, {"language": replace(C17, compile=("/usr/bin/gcc", "-O1", *C17.compile[3:]))}),
        (two, {"language": replace(C17, compile=(*C17.compile[:4], "-DANYTHING", *C17.compile[4:]))}),
        (two, {"limits": replace(LIMITS, compile_seconds=9)}),
        (two, {"limits": replace(LIMITS, compile_memory_bytes=767 << 20)}),
        (two, {"include": {"b.h": b"int b;\n"}}),
        (two, {"language": row}),
    ]
    for number, (files, changes) in enumerate(ways, start=1):
        compiling(files, **changes)
        compiling(files, **changes)
        assert compiling.asked == number
    header.write_text("22")
    compiling(two, language=row)
    assert compiling.asked == number  # not looked at again so soon
    monkeypatch.setattr(compilers, "LOOKED_AT_SECONDS", 0.0)
    compiling(two, language=row)
    assert compiling.asked == number + 1
    monkeypatch.setitem(compilers._versions, C17.version, "gcc (another) 99")
    compiling(two, language=row)
    assert compiling.asked == number + 2


def test_what_a_limit_or_an_accident_had_a_part_in_is_compiled_again(compiling: Compiling) -> None:
    endless = {"main.c": b'#include "/dev/zero"\n'}
    short = replace(LIMITS, compile_seconds=0.3)
    assert [compiling(endless, limits=short).verdict for _ in range(2)] == [Verdict.COMPILE_ERROR] * 2
    missing = replace(C17, compile=("/usr/bin/no-such-compiler",))
    assert [compiling(language=missing).verdict for _ in range(2)] == [Verdict.JUDGE_ERROR] * 2
    accident = replace(
        C17, compile=("/bin/sh", "-c", "echo 'gcc: fatal error: Killed signal terminated cc1' >&2; exit 1")
    )
    assert [compiling(language=accident).verdict for _ in range(2)] == [Verdict.COMPILE_ERROR] * 2
    assert compiling.asked == 6
    assert compiling.entries == []


BREAKS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda entry: b"",
    "half": lambda entry: entry[: len(entry) // 2],
    "a bit": lambda entry: entry[:-9] + bytes([entry[-9] ^ 1]) + entry[-8:],
    "of another format": lambda entry: entry.replace(b"compiled 1", b"compiled 0", 1),
    "anything": lambda entry: os.urandom(1000),
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_entry_is_a_miss_and_mended(how: str, compiling: Compiling) -> None:
    first = compiling()
    (path,) = compiling.entries
    path.write_bytes(BREAKS[how](path.read_bytes()))
    again = compiling()
    assert (again.reused, compiling.asked) == (False, 2)
    assert again.executable == first.executable
    assert compiling().reused


def test_without_a_disk_everything_is_compiled(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    compiling = Compiling(box, tmp_path / "file" / "compiled")
    assert [compiling().reused for _ in range(2)] == [False, False]


def test_what_cannot_be_told_from_files_stays_in_memory(compiling: Compiling) -> None:
    assert compiling({"run": b"#!/bin/sh\n"}, language=SCRIPTS).verdict is None
    assert compiling.entries == []


def test_an_authors_program_is_compiled_once_in_a_process(box: Sandbox, plus: Package) -> None:
    counting = Counting(box)
    workshop = Workshop(kept=Kept())
    program = Program(name="run", files={"run": b"#!/bin/sh\n"})
    first, second = (compile_program(program, plus, counting, workshop) for _ in range(2))
    assert len(counting.helped()) == 1
    assert first.executable
    assert second.executable is first.executable  # so that the sandbox need not take it in again


def test_memory_is_bounded(box: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    memory = Kept()
    one = compile_files(C17, HELLO, LIMITS, box, include={})
    for number in range(40):
        memory.put(str(number), one, C17)
    assert [number for number in range(40) if memory.get(str(number), C17)] == list(range(24, 40))
    monkeypatch.setattr(kept, "LARGEST_BYTES", 1000)
    stored = Kept(FolderStore(tmp_path))
    stored.put("big", one, C17)
    assert stored.get("big", C17) is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_keeps_what_was_used_last(tmp_path: Path) -> None:
    store = FolderStore(tmp_path, most_bytes=256 * 2500)
    keys = [f"ab{number}" for number in range(4)]
    for age, key in zip((400, 300, 200), keys, strict=False):
        store.put(key, bytes(1000))
        os.utime(tmp_path / "ab" / key, (time.time() - age,) * 2)
    assert [path.name for path in sorted((tmp_path / "ab").iterdir())] == keys[1:3]
    assert store.get(keys[1])  # older than the other, but used later
    store.put(keys[3], bytes(1000))
    assert [store.get(key) is not None for key in keys] == [False, True, False, True]
    store.put("ab9", bytes(10_000))
    assert store.get("ab9") is not None


def test_who_reads_while_others_write_reads_something_whole(compiling: Compiling) -> None:
    compilation = compiling()
    store = FolderStore(compiling.folder)
    end = time.monotonic() + 1
    broken = []

    def write() -> None:
        while time.monotonic() < end:
            store.put(KEY, packed(compilation))

    def read() -> None:
        while time.monotonic() < end:
            entry = store.get(KEY)
            if entry is not None and unpacked(entry, C17) is None:
                broken.append(entry)

    threads = [threading.Thread(target=action) for action in (write, write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert broken == []
    assert [path.name for path in compiling.folder.glob("ab/*")] == [KEY]


def test_what_is_used_stays_young(compiling: Compiling, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling()
    (path,) = compiling.entries
    before = path.read_bytes()
    assert compiling().reused
    assert path.read_bytes() == before
    monkeypatch.setattr(kept, "_FRESH_SECONDS", 0.0)
    assert compiling().reused
    assert path.read_bytes() != before
    found = unpacked(path.read_bytes(), C17)
    assert found
    assert time.time() - found[1] < 60


def test_an_entry_says_what_is_in_it(compiling: Compiling) -> None:
    compiling()
    _, _, line, _ = compiling.entries[0].read_bytes().split(b"\n", 3)
    assert json.loads(line)["toolchain"].startswith("gcc")
    assert OUT in json.loads(line)["files"][0][0]
