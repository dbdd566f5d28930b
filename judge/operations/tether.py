"""Becomes a program that dies with its parent: `python -IS tether.py PARENT-PROCESS PROGRAM ARGUMENT...`.

A child is tied to its parent by `prctl(PR_SET_PDEATHSIG)`, which must be called in the child itself. Doing that here,
in a fresh process, and then becoming the program is safe where running code between fork and exec is not.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, program = int(sys.argv[1]), sys.argv[2:]
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0):
        sys.exit(f"could not be tied to its parent: {os.strerror(ctypes.get_errno())}")
    if os.getppid() != parent:  # it died before we were tied to it
        sys.exit(1)
    os.execvp(program[0], program)  # noqa: S606 (no shell is the point)


if __name__ == "__main__":
    main()
