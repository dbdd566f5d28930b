"""Archives: packed always the same, unpacked whole or not at all."""

import io
import os
import random
import re
import stat
import struct
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems.package.archive import content_digest, pack, unpack
from problems.package.model import Severity
from problems.package.read import read
from tests.problems.package.small import FILES, write

Entry = tuple[str, bytes] | tuple[zipfile.ZipInfo, bytes]


def zipped(*entries: Entry, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # doubles are meant
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def encrypted() -> bytes:
    """An archive whose entries say that they have a password."""
    archive = bytearray(zipped(("problem.yaml", b"x"), ("data/secret/1.in", b"1")))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for found in re.finditer(re.escape(signature), bytes(archive)):
            archive[found.start() + offset] |= 1
    return bytes(archive)


def damaged() -> bytes:
    archive = bytearray(zipped(("problem.yaml", bytes(range(256)) * 20), method=zipfile.ZIP_STORED))
    archive[200] ^= 0xFF
    return bytes(archive)


def many_claimed() -> bytes:
    """An archive that says it has 60,000 entries."""
    archive = bytearray(zipped(("problem.yaml", b"x")))
    struct.pack_into("<HH", archive, archive.rindex(b"PK\x05\x06") + 8, 60_000, 60_000)
    return bytes(archive)


GOOD = zipped(("problem.yaml", b"name: x\n"), ("data/secret/1.in", b"1\n" * 100))
REFUSED: list[tuple[str, Callable[[], bytes], str, str]] = [
    ("empty file", lambda: b"", "archive-empty", "is empty"),
    ("a RAR", lambda: b"Rar!\x1a\x07\x01\x00" + b"x" * 100, "not-a-zip", "a RAR archive"),
    ("a 7z", lambda: b"7z\xbc\xaf\x27\x1c" + b"x" * 100, "not-a-zip", "a 7z archive"),
    ("yaml", lambda: b"name: x\n", "not-a-zip", "no ZIP archive"),
    ("cut off", lambda: GOOD[:-30], "archive-cut-off", "cut off"),
    ("cut off in its end", lambda: GOOD[:-10], "archive-cut-off", "cut off"),
    ("cut off early", lambda: GOOD[:40], "archive-cut-off", "cut off"),
    ("directory gone", lambda: GOOD[:60] + GOOD[-22:], "archive-damaged", "damaged"),
    ("damaged", damaged, "archive-damaged", "damaged"),
    ("password", encrypted, "encrypted", "password"),
    ("no entries", zipped, "archive-empty", "no file"),
    ("claims many", many_claimed, "too-many-files", "more than 50 files"),
    ("many", lambda: zipped(*[(f"{n}", b"") for n in range(51)]), "too-many-files", "more than 50 files"),
    ("climbs", lambda: zipped(("../x", b"x")), "name-climbs", "`..`"),
    ("climbs inside", lambda: zipped(("a/../../x", b"x")), "name-climbs", "`..`"),
    ("absolute", lambda: zipped(("/etc/x", b"x")), "name-absolute", "absolute"),
    ("drive", lambda: zipped(("C:/x", b"x")), "name-absolute", "absolute"),
    ("backslash", lambda: zipped(("a\\..\\x", b"x")), "name-odd", "backslash"),
    ("empty part", lambda: zipped(("a//x", b"x")), "name-odd", "empty part"),
    ("long name", lambda: zipped(("a" * 300, b"x")), "name-odd", "too long"),
    ("deep name", lambda: zipped(("a/" * 50 + "x", b"x")), "name-odd", "deeply"),
    ("link", lambda: zipped((entry("x", stat.S_IFLNK | 0o777), b"/etc/passwd")), "link", "copy of the file"),
    ("device", lambda: zipped((entry("x", stat.S_IFCHR | 0o666), b"")), "special-file", "device"),
    ("pipe", lambda: zipped((entry("x", stat.S_IFIFO | 0o666), b"")), "special-file", "pipe"),
    ("double", lambda: zipped(("x", b"1"), ("x", b"2")), "double-name", "twice"),
    ("upper and lower", lambda: zipped(("Data/x", b"1"), ("data/y", b"2")), "case-collision", "Data"),
    ("file and folder", lambda: zipped(("x", b"1"), ("x/y", b"2")), "double-name", "file and a folder"),
    ("folder and file", lambda: zipped(("x/y", b"1"), ("x", b"2")), "double-name", "file and a folder"),
    ("bomb", lambda: zipped(("x", bytes(3 << 20))), "archive-bomb", "unpacks to more than"),
    ("unusual", lambda: zipped(("x", b"x"), method=zipfile.ZIP_LZMA), "compression", "plain ZIP"),
]  # fmt: skip


@pytest.fixture
def _low_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("problems.package.archive.MAX_FILES", 50)
    monkeypatch.setattr("problems.package.archive.MAX_RATIOS", ((2 << 20, 200),))


@pytest.mark.usefixtures("_low_bounds")
@pytest.mark.parametrize(("make", "rule", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused_and_nothing_is_left(tmp_path: Path, make: Callable[[], bytes], rule: str, message: str) -> None:
    (tmp_path / "shelf").mkdir()
    findings = unpack(make(), tmp_path / "shelf/doubles")
    (finding,) = [one for one in findings if one.severity is Severity.ERROR]
    assert finding.rule == rule
    assert message in finding.message
    assert [str(path) for path in tmp_path.rglob("*")] == [str(tmp_path / "shelf")]


@pytest.mark.usefixtures("_low_bounds")
def test_a_bomb_is_counted_while_it_is_unpacked_not_believed(tmp_path: Path) -> None:
    archive = bytearray(zipped(("x", bytes(3 << 20))))
    struct.pack_into("<I", archive, archive.index(b"PK\x01\x02") + 24, 10)
    findings = unpack(bytes(archive), tmp_path / "doubles")
    assert [one.severity for one in findings] == [Severity.ERROR]
    assert list(tmp_path.iterdir()) == []


def test_what_repeats_itself_is_taken_up_to_a_bound(tmp_path: Path) -> None:
    """A few cases of one letter a million times are real; an archive of nothing else, and of 20 of them, is none."""
    letters = b"a" * (1 << 20)
    cases = [(f"{number}.in", letters) for number in range(17)]
    assert [one.rule for one in unpack(zipped(*cases), tmp_path / "only")] == ["archive-bomb"]
    assert unpack(zipped(*cases[:15]), tmp_path / "few") == ()
    assert unpack(zipped(*cases, ("random.in", random.Random(1).randbytes(40_000))), tmp_path / "mixed") == ()
    assert unpack(zipped(*cases), tmp_path / "ours", ours=True) == (), "it was taken in before there was a bound"


def test_one_more_folder_and_what_macos_adds_are_forgiven(tmp_path: Path) -> None:
    entries = [("doubles/" + name, content.encode()) for name, content in FILES.items() if isinstance(content, str)]
    archive = zipped(("doubles/", b""), *entries, ("__MACOSX/doubles/._x", b"x"), ("doubles/.DS_Store", b"x"))
    findings = unpack(archive, tmp_path / "doubles")
    assert [(one.severity, one.rule) for one in findings] == [
        (Severity.NOTICE, "macos-files"),
        (Severity.NOTICE, "top-folder"),
    ]
    reading = read(tmp_path / "doubles")
    assert (reading.findings, reading.package is not None) == ((), True)


def test_what_is_there_stays_when_an_archive_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path)
    before = content_digest(root)
    with pytest.raises(OSError):
        unpack(GOOD, root)
    assert unpack(b"", root)
    assert content_digest(root) == before
    assert [path.name for path in tmp_path.iterdir()] == ["doubles"]


def test_an_archive_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "doubles.zip").write_bytes(pack(write(tmp_path / "source")))
    assert unpack(tmp_path / "doubles.zip", tmp_path / "doubles") == ()
    assert content_digest(tmp_path / "doubles") == content_digest(tmp_path / "source/doubles")


def test_packing_depends_on_nothing_but_names_and_bytes(tmp_path: Path) -> None:
    one, other = write(tmp_path / "one"), write(tmp_path / "other", {".git/config": "x", "odd name": "x"})
    os.utime(other / "problem.yaml", (1, 1))
    assert pack(one) == pack(other)
    assert content_digest(one) == content_digest(other)
    (other / "problem.yaml").write_text("name: other\n")
    assert pack(one) != pack(other)
    assert content_digest(one) != content_digest(other)


def test_programs_stay_executable(tmp_path: Path) -> None:
    root = write(tmp_path / "one", {"output_validator/run": "#!/bin/sh\nexit 42\n"})
    (root / "output_validator/run").chmod(0o755)
    assert unpack(pack(root), tmp_path / "two") == ()
    assert (tmp_path / "two/output_validator/run").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "two/problem.yaml").stat().st_mode & 0o777 == 0o644


names = st.from_regex(r"[a-z0-9_][a-z0-9_.-]{0,5}", fullmatch=True).filter(
    lambda name: not name.endswith(".pyc") and name != "__pycache__"
)


@settings(max_examples=15, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["top", "data/secret"]), names), st.binary(max_size=50), min_size=1, max_size=5
    )
)
def test_what_is_packed_comes_out_again(files: dict[tuple[str, str], bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "one"
        for (below, name), content in {**files, ("", "problem.yaml"): b"x\n"}.items():
            path = root / below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        archive = pack(root)
        assert unpack(archive, Path(folder) / "two") == ()
        assert content_digest(Path(folder) / "two") == content_digest(root)
        assert pack(Path(folder) / "two") == archive


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(GOOD)), st.integers(0, 40))
def test_any_bytes_give_findings_or_a_folder_never_a_crash(noise: bytes, at: int, cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for archive in (noise, GOOD[:at] + noise[:8] + GOOD[at + cut :], GOOD + noise):
            into = Path(folder) / "x"
            findings = unpack(archive, into)
            assert into.exists() != any(one.severity is Severity.ERROR for one in findings)
            if into.exists():
                into.rename(Path(folder) / f"done-{len(list(Path(folder).iterdir()))}")
