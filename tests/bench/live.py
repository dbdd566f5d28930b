"""What students and pages wait for, on a whole site of real processes: `./palfrey bench live`.

A site of its own in a temporary folder: pages, a broker, and workers as each measuring needs them, in processes as in
production. Measured, each against its floor in the same run:

first-event  from sending a form to the first event by which its page knows that the judging has begun
workers      verdicts a second of two workers against one
regrade      a submission while one of two workers judges old submissions again
pages        one change, seen by many open pages of one web process
load         pages asked for in a steady pace while two workers judge

Exit 0 only when every reach is kept. `--postgres`: on a PostgreSQL of its own. Needs a machine that is quiet.
"""

import argparse
import json
import os
import resource
import shutil
import sys
from dataclasses import asdict
from typing import Any

import django

from tests.bench.live_site import LiveSite
from tests.postgres import can_run

NAMES = ("first-event", "workers", "regrade", "pages", "load")


def main() -> int:
    options = _options()
    if options.postgres and not can_run():
        raise SystemExit("--postgres needs root and Debian's PostgreSQL: apt-get install postgresql")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # an open page is a file here and one of the web process
    site = LiveSite(postgres=options.postgres)
    os.environ |= site.environment | {"PALFREY_LOG_LEVEL": "ERROR"}
    done = False
    try:
        site.prepare()
        django.setup()
        found = _measured(site, options)
        done = True
    finally:
        site.end([site.broker, site.web])
        if site.postgres:
            site.postgres.remove()
        if done:
            shutil.rmtree(site.folder, ignore_errors=True)
    if options.json:
        print(json.dumps({"set": "PostgreSQL" if options.postgres else "SQLite", "figures": found}))
    return 0 if all(row["kept"] for row in found.values()) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="palfrey bench live", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default=",".join(NAMES), help="these alone, separated by commas")
    parser.add_argument("--submissions", type=int, default=30, help="of first-event (%(default)s)")
    parser.add_argument("--batch", type=int, default=40, help="submissions that workers are measured by (%(default)s)")
    parser.add_argument("--regrade", type=int, default=300, help="submissions judged again (%(default)s)")
    parser.add_argument("--rounds", type=int, default=10, help="submissions beside the regrade (%(default)s)")
    parser.add_argument("--pages", type=int, default=1000, help="pages that are open (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="of load (%(default)s)")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own; otherwise SQLite")
    parser.add_argument("--json", action="store_true", help="one object instead of lines")
    options = parser.parse_args()
    options.only = options.only.split(",")
    if unknown := set(options.only) - set(NAMES):
        parser.error(f"--only takes {', '.join(NAMES)}, and not {', '.join(sorted(unknown))}.")
    return options


def _measured(site: LiveSite, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    # Only now, because these read the settings.
    from tests.bench.live_judging import Rows, first_event, regrade, workers
    from tests.bench.live_pages import load, pages

    rows = Rows.made(site)
    site.open()
    found = {}
    for name, measure in zip(NAMES, (first_event, workers, regrade, pages, load), strict=True):
        if name in options.only:
            row = measure(rows, options)
            found[name] = asdict(row)
            if not options.json:
                print(row.told(name), flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
