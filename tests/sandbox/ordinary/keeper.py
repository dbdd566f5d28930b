"""Run as an ordinary user: a sandbox that takes pickled runs on standard input and answers with pickled outcomes."""

import pickle
import sys
from pathlib import Path

from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault
from sandbox.doctor import tried


def say(what: object) -> None:
    pickle.dump(what, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def main() -> None:
    try:
        sandbox = open_sandbox(Path(sys.argv[1]), laptop=sys.argv[2] == "laptop")
    except SandboxFault as fault:
        say(fault)
        return
    say(sandbox.slot_pid)
    while True:
        try:
            asked = pickle.load(sys.stdin.buffer)
        except EOFError:
            break
        try:
            say(list(tried(sandbox)) if asked == "tried" else sandbox.run(asked))
        except (SandboxFault, ValueError) as error:
            say(error)
    sandbox.close()


if __name__ == "__main__":
    main()
