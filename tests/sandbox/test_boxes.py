"""What a box gives, takes in and hands back when nobody attacks it."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.box import LinuxSandbox
from sandbox.contract import Ending, Quota, Run, SandboxFault
from tests.sandbox.programs import MIB

QUOTA = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=128 * MIB, file_bytes=4 * MIB)


def shell(script: str, **more: object) -> Run:
    return Run(argv=("/bin/sh", "-c", script), quota=QUOTA, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", [0, 1, 2, 122, 126, 127, 128, 137, 255])
def test_exit_codes_are_the_programs_own(sandbox: LinuxSandbox, code: int) -> None:
    outcome = sandbox.run(shell(f"exit {code}"))
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Ending.EXITED, code, None)


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (("/no/such/program",), b"No such file"),
        (("given.txt",), b"Exec format error"),
        (("/box",), b"Permission denied"),
        (("-o x",), b"No such file"),
    ],
)
def test_what_cannot_be_executed_is_not_started(sandbox: LinuxSandbox, argv: tuple[str, ...], why: bytes) -> None:
    outcome = sandbox.run(Run(argv=argv, quota=QUOTA, files={"given.txt": b"\x00\x01"}))
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Ending.NOT_STARTED, None, None)
    assert why in outcome.stderr
    assert argv[0].encode() in outcome.stderr


def test_arguments_are_never_a_shell_line(sandbox: LinuxSandbox) -> None:
    words = ("a;rm -rf /", "-o x", "$HOME", "`id`", "two words", "", "\udcff")
    outcome = sandbox.run(Run(argv=("/usr/bin/printf", "%s|", *words), quota=QUOTA))
    assert outcome.stdout == b"".join(os.fsencode(word) + b"|" for word in words)


def test_any_bytes_pass_through_both_ways(sandbox: LinuxSandbox) -> None:
    every = bytes(range(256)) * 3000
    outcome = sandbox.run(shell("cat; echo err >&2", stdin=every))
    assert outcome.stdout == every
    assert outcome.stderr == b"err\n"


@pytest.mark.parametrize("size", [0, 1, 65536, MIB - 1, MIB])
def test_output_up_to_the_limit_is_whole(sandbox: LinuxSandbox, size: int) -> None:
    quota = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=64 * MIB, output_bytes=MIB)
    run = Run(argv=("/usr/bin/head", "-c", str(size), "/dev/zero"), quota=quota)
    outcome = sandbox.run(run)
    assert (outcome.ending, outcome.stdout) == (Ending.EXITED, bytes(size))


def test_output_one_byte_above_the_limit_ends_it(sandbox: LinuxSandbox) -> None:
    quota = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=64 * MIB, output_bytes=MIB)
    outcome = sandbox.run(Run(argv=("/usr/bin/head", "-c", str(MIB + 1), "/dev/zero"), quota=quota))
    assert (outcome.ending, len(outcome.stdout)) == (Ending.OUTPUT, MIB)


def test_standard_error_is_cut_and_does_not_end_it(sandbox: LinuxSandbox) -> None:
    outcome = sandbox.run(shell("head -c 3000000 /dev/zero >&2; echo done"))
    assert (outcome.ending, outcome.stdout, len(outcome.stderr)) == (Ending.EXITED, b"done\n", QUOTA.stderr_bytes)


def test_environment_is_added_to_three_fixed_names(sandbox: LinuxSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SECRET_KEY", "secret")
    outcome = sandbox.run(Run(argv=("/usr/bin/env",), quota=QUOTA, env={"ONLINE_JUDGE": "1", "LANG": "C"}))
    assert sorted(outcome.stdout.decode().split()) == ["HOME=/box", "LANG=C", "ONLINE_JUDGE=1", "PATH=/usr/bin:/bin"]


def test_files_of_the_host_go_in_by_copy(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    source = tmp_path / "secret name"
    source.write_bytes(b"content")
    source.chmod(0o600)
    run = shell("cat a/b/c.txt; cat /dev/stdin; ls -l a/b", files={"a/b/c.txt": source}, stdin=source)
    outcome = sandbox.run(run)
    assert outcome.stdout.startswith(b"contentcontent")
    assert b"r-xr-xr-x 1 root root" in outcome.stdout
    source.write_bytes(b"changed")
    assert sandbox.run(run).stdout.startswith(b"changedchanged")


def test_many_files_go_in(sandbox: LinuxSandbox, tmp_path: Path) -> None:
    files: dict[str, bytes | Path] = {f"bytes/{number}": str(number).encode() for number in range(300)}
    for number in range(400):
        path = tmp_path / str(number)
        path.write_text(str(number))
        files[f"paths/{number}"] = path
    outcome = sandbox.run(shell("cat bytes/* paths/* | wc -c; ls bytes paths | wc -l", files=files))
    total = sum(len(str(number)) for number in range(300)) + sum(len(str(number)) for number in range(400))
    assert outcome.stdout.split() == [str(total).encode(), b"703"]


def test_given_files_do_not_count_as_written(sandbox: LinuxSandbox) -> None:
    outcome = sandbox.run(shell("head -c 4000000 /dev/zero > mine && echo fits", files={"big": bytes(20 * MIB)}))
    assert outcome.stdout == b"fits\n"


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../b", "", "a//b", "./a", "a\0b", "x" * 2000])
def test_names_that_lead_elsewhere_are_refused(sandbox: LinuxSandbox, name: str) -> None:
    for run in (shell("true", files={name: b""}), shell("true", keep=(name,)), shell("true", writable=(name,))):
        with pytest.raises(ValueError, match=r"path below /box|NUL"):
            sandbox.run(run)


def test_written_files_come_back(sandbox: LinuxSandbox) -> None:
    script = "mkdir -p out/deep; echo 1 > out/a; echo 2 > out/deep/b; echo 3 > alone; echo 4 > other; echo 5 >> dir/c"
    outcome = sandbox.run(shell(script, keep=("out", "alone", "dir", "absent"), writable=("dir",)))
    assert outcome.kept == {"out/a": b"1\n", "out/deep/b": b"2\n", "alone": b"3\n", "dir/c": b"5\n"}


def test_all_of_the_box_can_come_back_without_what_was_given(sandbox: LinuxSandbox) -> None:
    outcome = sandbox.run(shell("cp given copy", files={"given": b"x"}, keep=(".",)))
    assert outcome.kept == {"copy": b"x"}


SEALED = {
    "make": "echo 1 > new",
    "make a folder": "mkdir new",
    "change": "echo 1 > folder/given",
    "remove": "rm -f given",
    "rename": "mv given other",
    "take rights": "chmod 777 .",
    "link": "ln -s given other",
}


@pytest.mark.parametrize("script", SEALED.values(), ids=SEALED)
def test_a_sealed_box_stays_as_it_is(sandbox: LinuxSandbox, script: str) -> None:
    given: dict[str, bytes | Path] = {"given": b"x", "folder/given": b"y"}
    outcome = sandbox.run(shell(script, files=given, sealed=True, keep=(".",)))
    assert (outcome.ending, outcome.kept) == (Ending.EXITED, {})
    assert outcome.exit_code != 0
    assert sandbox.run(shell("echo 1 > new", keep=(".",))).kept == {"new": b"1\n"}, "the next box is open"


def test_in_a_sealed_box_there_is_still_room_elsewhere(sandbox: LinuxSandbox) -> None:
    script = "echo 1 > /tmp/a && echo 2 > /dev/shm/b && echo 3 > dir/c && cat /tmp/a /dev/shm/b given"
    outcome = sandbox.run(shell(script, files={"given": b"4\n"}, sealed=True, writable=("dir",), keep=("dir",)))
    assert outcome.stdout == b"1\n2\n4\n", outcome.stderr
    assert outcome.kept == {"dir/c": b"3\n"}


def test_what_comes_back_is_bounded(sandbox: LinuxSandbox) -> None:
    script = "truncate -s 3M a; truncate -s 3M b; echo c > c"
    outcome = sandbox.run(shell(script, keep=("a", "b", "c")))
    assert outcome.kept.keys() == {"a", "c"}
    assert outcome.kept["a"] == bytes(3 * MIB)


def test_a_huge_hole_cannot_be_made(sandbox: LinuxSandbox) -> None:
    outcome = sandbox.run(shell("truncate -s 1T a; ls -s a", keep=("a",)))
    assert outcome.kept in ({}, {"a": b""})


def test_many_small_files_come_back(sandbox: LinuxSandbox) -> None:
    kept = sandbox.run(shell("mkdir out; cd out; for i in $(seq 900); do echo $i > $i; done", keep=("out",))).kept
    assert kept == {f"out/{number}": f"{number}\n".encode() for number in range(1, 901)}


def test_two_runs_may_talk_through_pipes(sandbox: LinuxSandbox) -> None:
    asks, asked = os.pipe()
    answers, answered = os.pipe()
    first = sandbox.start(shell("echo 20; read n; echo got $n >&2", stdin=answers, stdout=asked))
    second = sandbox.start(shell("read n; echo $((n + 1)); head -c 300000 /dev/zero >&2", stdin=asks, stdout=answered))
    for fd in (asks, asked, answers, answered):
        os.close(fd)
    one, two = first.wait(), second.wait()
    assert (one.ending, one.stderr, one.stdout) == (Ending.EXITED, b"got 21\n", b"")
    assert (two.ending, two.exit_code, len(two.stderr)) == (Ending.EXITED, 0, QUOTA.stderr_bytes)


def test_both_ends_of_a_pipe_open_by_name(sandbox: LinuxSandbox) -> None:
    asks, asked = os.pipe()
    first = sandbox.start(shell("echo 20 > /dev/stdout", stdout=asked))
    second = sandbox.start(shell("read n < /dev/stdin; echo got $n > /dev/stdout; echo so > /dev/stderr", stdin=asks))
    os.close(asks)
    os.close(asked)
    outcome = second.wait()
    assert (first.wait().exit_code, outcome.stdout, outcome.stderr) == (0, b"got 20\n", b"so\n")


def test_an_ended_partner_is_seen_as_end_of_input(sandbox: LinuxSandbox) -> None:
    asks, asked = os.pipe()
    first = sandbox.start(shell("echo 1", stdout=asked))
    second = sandbox.start(shell("cat; echo end", stdin=asks))
    os.close(asks)
    os.close(asked)
    assert (first.wait().exit_code, second.wait().stdout) == (0, b"1\nend\n")


def test_a_run_leaves_nothing_for_the_next_one(sandbox: LinuxSandbox) -> None:
    """Descriptors serve again: neither output nor the order to stop may."""
    for size in (3, 100_000, 1, 0, 70_000, 2):
        assert sandbox.run(shell(f"head -c {size} /dev/zero; echo {size} >&2")).stdout == bytes(size)
        assert sandbox.run(shell("echo kept > kept", keep=("kept",))).kept == {"kept": b"kept\n"}
        stopped = sandbox.start(shell("sleep 30"))
        stopped.kill()
        assert stopped.wait().ending != Ending.EXITED


def test_limits_are_those_of_the_run_whatever_the_one_before_had(sandbox: LinuxSandbox) -> None:
    """A box is prepared with the room of the last run."""
    for mib in (40, 200, 20, 20, 150):
        quota = Quota(cpu_seconds=5, wall_seconds=20, memory_bytes=mib * MIB, file_bytes=mib * MIB, processes=mib)
        for asked, ending in ((mib - 8, Ending.EXITED), (mib + 8, Ending.OUTPUT)):
            script = f"exec head -c {asked * MIB} /dev/zero > f"
            roomy = replace(quota, memory_bytes=400 * MIB)
            assert sandbox.run(Run(argv=("/bin/sh", "-c", script), quota=roomy)).ending == ending, (mib, asked)
        greedy = ("/usr/bin/python3", "-c", f"bytearray({mib + 8} << 20)")
        assert sandbox.run(Run(argv=greedy, quota=quota)).ending == Ending.MEMORY, mib


def test_a_run_can_be_killed(sandbox: LinuxSandbox) -> None:
    running = sandbox.start(shell("echo begun; sleep 100"))
    running.kill()
    outcome = running.wait()
    assert (outcome.ending, outcome.signal) == (Ending.SIGNALLED, 9)
    assert outcome.wall_seconds < 10
    running.kill()
    assert running.wait() is outcome


def test_runs_from_many_threads_do_not_mix(sandbox: LinuxSandbox) -> None:
    seen: dict[int, bytes] = {}

    def one(number: int) -> None:
        for _ in range(5):
            outcome = sandbox.run(shell("cat; cat word", stdin=str(number).encode(), files={"word": b"-" * number}))
            seen[number] = outcome.stdout

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {number: str(number).encode() + b"-" * number for number in range(8)}


def test_a_box_begins_empty(sandbox: LinuxSandbox) -> None:
    sandbox.run(shell("ln -s /etc/passwd a.out; echo x > b"))
    assert sandbox.run(shell("ls -A /box /tmp /dev/shm | wc -w")).stdout == b"3\n"


def test_a_long_request_goes_over(sandbox: LinuxSandbox) -> None:
    words = ("x" * 1000,) * 140
    assert len(sandbox.run(Run(argv=("/bin/echo", *words), quota=QUOTA)).stdout) == 140 * 1001


def test_too_much_for_one_request_is_said(sandbox: LinuxSandbox) -> None:
    with pytest.raises(SandboxFault, match="too many"):
        sandbox.run(shell("true", env={f"N{number}": "x" * 1000 for number in range(300)}))


def test_a_missing_host_file_is_said(sandbox: LinuxSandbox) -> None:
    with pytest.raises(SandboxFault, match="cannot be read"):
        sandbox.run(shell("true", files={"a": Path("/no/such/file")}))


@pytest.mark.parametrize(
    "quota",
    [
        Quota(cpu_seconds=0, wall_seconds=1, memory_bytes=MIB),
        Quota(cpu_seconds=1, wall_seconds=-1, memory_bytes=MIB),
        Quota(cpu_seconds=1, wall_seconds=1, memory_bytes=-MIB),
        Quota(cpu_seconds=float("nan"), wall_seconds=1, memory_bytes=MIB),
        Quota(cpu_seconds=1, wall_seconds=float("inf"), memory_bytes=MIB),
    ],
)
def test_senseless_quotas_are_refused(sandbox: LinuxSandbox, quota: Quota) -> None:
    with pytest.raises(ValueError, match="quota"):
        sandbox.run(Run(argv=("/bin/true",), quota=quota))
