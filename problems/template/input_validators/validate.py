"""Is the input as the statement says, to the blank? Exits with 42 when it is, with 43 when not."""

import re
import sys

NUMBER = r"(?:0|-?[1-9][0-9]*)"

text = sys.stdin.read()
if not re.fullmatch(rf"(?:{NUMBER}\n)+", text):
    print("there must be one whole number in each line, and nothing else", file=sys.stderr)
    sys.exit(43)
count, *numbers = map(int, text.split())
if not 1 <= count <= 100_000:
    print(f"n is {count}", file=sys.stderr)
    sys.exit(43)
if len(numbers) != count:
    print(f"n is {count}, and {len(numbers)} numbers follow", file=sys.stderr)
    sys.exit(43)
if not all(abs(number) <= 10**9 for number in numbers):
    print("a number is too large", file=sys.stderr)
    sys.exit(43)
sys.exit(42)
