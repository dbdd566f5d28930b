"""`./palfrey chaos`: judges steadily while everything is killed in turn, and then counts."""

import argparse
import ctypes
import json
import os
import random
import shutil
import sys
import time
from collections import Counter
from typing import Any

import django

from tests.chaos import faults
from tests.chaos.hosts import leave_the_network
from tests.chaos.programs import Program, program
from tests.chaos.site import Site
from tests.postgres import can_run

CLONE_NEWNS = 0x20000
MS_REC_PRIVATE = 0x4000 | 0x40000
PEOPLE = 8


def main() -> int:
    options = _options()
    if options.postgres and not can_run():
        raise SystemExit("--postgres needs root and Debian's PostgreSQL: apt-get install postgresql")
    _mounts_of_our_own()
    dice = random.Random(options.seed)
    if options.namespaces:
        leave_the_network()
    site = Site(
        workers=options.workers,
        slots=options.slots,
        lease=options.lease,
        postgres=options.postgres,
        namespaces=options.namespaces,
    )
    os.environ.update(site.environment)
    told: dict[str, Any] = {}
    try:
        site.prepare()
        django.setup()
        told = _run(site, dice, options)
    finally:
        told["killed_at_the_end"] = site.stop()
        told["left_running"] = site.remnants()
        told["database_is_locked"] = sum(text.count("database is locked") for _, text in site.logs())
        if site.postgres:
            site.postgres.remove()
    good = is_good(told)
    if good and not options.keep:
        shutil.rmtree(site.folder, ignore_errors=True)
    else:
        told["folder"] = str(site.folder)
    told["good"] = good
    print(json.dumps(told) if options.json else "\n".join(f"{name}: {value}" for name, value in told.items()))
    return 0 if good else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="palfrey chaos", description=__doc__)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slots", type=int, default=1, help="programs that each worker judges at a time")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own; otherwise SQLite")
    parser.add_argument("--namespaces", type=int, default=0, help="spread the workers over so many hosts of their own")
    parser.add_argument(
        "--faults", type=int, help="how many at most; 60 for 1,000 submissions, and never fewer than 30"
    )
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two faults, on average")
    parser.add_argument("--pace", type=float, default=3.0, help="submissions a second")
    parser.add_argument("--lease", type=int, default=10, help="PALFREY_LEASE_SECONDS")
    parser.add_argument("--seconds", type=float, default=1800, help="give up after this time")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("--kinds", help="only these faults, separated by commas: " + ", ".join(faults.KINDS))
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.faults = options.faults or max(30, 60 * options.submissions // 1000)
    return options


def _mounts_of_our_own() -> None:
    """What is mounted here goes away with the last of our processes."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) or libc.mount(b"none", b"/", None, MS_REC_PRIVATE, None):
        raise SystemExit(f"This needs rights over mounts, as root has them: {os.strerror(ctypes.get_errno())}")


def _run(site: Site, dice: random.Random, options: argparse.Namespace) -> dict[str, Any]:
    # Only now, because these read the settings.
    from judge.submissions.models import Judgement, State
    from tests.chaos.sending import Sender, judged_again, set_up
    from tests.chaos.watch import LONGEST_SECONDS, Watch, count

    problem, people = set_up(site.folder, PEOPLE)
    site.start()
    sent: dict[str, Program] = {f"chaos-{number}": program(number) for number in range(options.submissions)}
    watch = Watch(site)
    watch.start()
    sender = Sender(problem, people, sent, options.pace)
    began = time.monotonic()
    sender.start()
    kinds = options.kinds.split(",") if options.kinds else faults.kinds_for(site)
    done: Counter[str] = Counter()
    bag: list[str] = []
    next_fault = began + 2
    last_fault = (began, 0)
    while time.monotonic() - began < options.seconds:
        time.sleep(0.2)
        open_rows = sender.unfinished()
        if sender.over and open_rows == 0:
            break
        if time.monotonic() >= next_fault and sum(done.values()) < options.faults:
            if not bag:
                bag = dice.sample(kinds, len(kinds))
            kind = bag.pop()
            what = faults.KINDS[kind](site, dice)
            done[kind] += 1
            _say(f"{time.monotonic() - began:6.1f} s  {kind}: {what}   ({sender.number} sent, {open_rows} open)")
            last_fault = (time.monotonic(), open_rows)
            next_fault = time.monotonic() + dice.uniform(0.5, 1.5) * options.every
    ended = time.monotonic()
    watch.stop()
    told: dict[str, Any] = {
        "seed": options.seed,
        "set": "PostgreSQL" if site.postgres else "SQLite",
        "workers": options.workers,
        "hosts": options.namespaces or 1,
        "faults": dict(done),
        "faults_in_all": sum(done.values()),
        "seconds": round(ended - began, 1),
        "drained_after_the_last_fault": {"rows": last_fault[1], "seconds": round(ended - last_fault[0], 1)},
        "longest_wait_while_a_worker_was_free": round(watch.longest_idle, 1),
        "longest_time_without_lease": round(watch.longest_silent, 1),
        "longest_allowed": LONGEST_SECONDS,
        "starts": {part.name: part.starts for part in site.parts},
        **count(sent),
    }
    told["wrong_after_one_click"] = judged_again(told["judge_errors"], sent)
    told["still_running"] = Judgement.objects.filter(state=State.RUNNING).count()
    return told


def is_good(told: dict[str, Any]) -> bool:
    nothing = ("lost", "double", "unfinished", "wrong", "wrong_cases", "early_judge_errors", "wrong_after_one_click")
    return (
        "sent" in told
        and not any(told[name] for name in nothing)
        and not told["left_running"]
        and not told["killed_at_the_end"]
        and not told["database_is_locked"]
        and len(told["judge_errors"]) <= max(1, told["sent"] // 200)
        and max(told["longest_wait_while_a_worker_was_free"], told["longest_time_without_lease"])
        <= told["longest_allowed"]
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
