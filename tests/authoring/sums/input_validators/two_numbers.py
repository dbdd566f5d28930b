"""42 says that an input is as the statement promises; anything else that it is not."""

import re
import sys

found = re.fullmatch(r"(0|[1-9][0-9]*) (0|[1-9][0-9]*)\n", sys.stdin.read())
good = found is not None and all(int(number) <= 10**9 for number in found.groups())
sys.exit(42 if good else 43)
