"""All 4,096 inputs of one line, in the order of the squares; each as a JSON string on a line of its own."""

import json
from itertools import product

SQUARES = ["".join(square) for square in product("abcdefgh", "12345678")]

for origin, target in product(SQUARES, repeat=2):
    print(json.dumps(f"{origin} {target}\n"))
