"""Whether pages stay as quick when there is a thousand times more: `./palfrey bench lists`.

A site of its own in a temporary folder is filled by a few statements (20 cases a submission), first with 1,000
submissions and then up to what is asked for. Each page is asked for in this process, again and again; printed are the
queries, which must not grow, and the times with their ratio. `--postgres`: on a PostgreSQL of its own.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django

from tests.postgres import Postgres

FEW = 1_000
CASES = 20
ROUNDS = 15
MOST_SLOWER = 1.5


def main() -> int:
    parser = argparse.ArgumentParser(prog="palfrey bench lists", description=__doc__)
    parser.add_argument("--submissions", type=int, default=100_000)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="palfrey-lists-"))
    server = Postgres() if options.postgres else None
    try:
        if server:
            server.start()
            os.environ["DATABASE_URL"] = server.url
        os.environ |= {"DJANGO_SETTINGS_MODULE": "judge.config.settings", "PALFREY_LOCAL": "1"}
        os.environ |= {
            "PALFREY_VAR": str(folder),
            "REDIS_URL": f"unix://{folder}/none.sock",
            "PALFREY_LOG_LEVEL": "ERROR",
        }
        django.setup()
        found = _measure(options.submissions)
    finally:
        if server:
            server.remove()
        shutil.rmtree(folder, ignore_errors=True)
    good = all(page["queries"][0] == page["queries"][1] for page in found["pages"].values())
    if options.json:
        print(json.dumps(found))
        return 0 if good else 1
    print(
        f"{FEW:,} and {options.submissions:,} submissions of {CASES} cases, filled in {found['filling_seconds']:.0f} s"
    )
    for name, page in found["pages"].items():
        before, after = page["milliseconds"]
        told = f"{page['queries'][0]:3} and {page['queries'][1]:3} queries   {before:7.1f} and {after:7.1f} ms"
        print(f"{name:32} {told}   {page['ratio']:5.2f}{'  slower' if page['ratio'] > MOST_SLOWER else ''}")
    return 0 if good else 1


def _measure(submissions: int) -> dict[str, Any]:
    # Only now, because these read the settings.
    from tests.bench.filling import Filling

    filling = Filling(cases=CASES)
    filling.upto(FEW)
    few = {name: _asked(filling, name) for name in filling.pages()}
    begin = time.perf_counter()
    filling.upto(submissions)
    seconds = time.perf_counter() - begin
    pages = {}
    for name, (queries, before) in few.items():
        more, later = _asked(filling, name)
        pages[name] = {"queries": [queries, more], "milliseconds": [before, later], "ratio": later / before}
    return {"filling_seconds": seconds, "pages": pages}


def _asked(filling: Any, name: str) -> tuple[int, float]:
    """Queries of a page, and the milliseconds of the quickest answer: others may use the machine meanwhile."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, address = filling.pages()[name]
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    queries = len(captured)
    assert answer.status_code == 200, (name, answer.status_code)
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        client.get(address)
        times.append(1000 * (time.perf_counter() - begin))
    return queries, min(times)


if __name__ == "__main__":
    sys.exit(main())
