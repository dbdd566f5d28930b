"""Every start on small boards, smallest first; each input is a JSON string on a line of its own."""

import json

SIZE = 6
LARGER = ["7 1 1", "7 1 2", "7 2 2", "7 4 4", "9 1 1", "9 1 2", "9 5 5", "10 1 1", "10 3 4", "32 1 2", "33 1 1"]

boards = [
    f"{size} {row} {column}"
    for size in range(1, SIZE + 1)
    for row in range(1, size + 1)
    for column in range(1, size + 1)
]
for board in boards + LARGER:
    print(json.dumps(board + "\n"))
