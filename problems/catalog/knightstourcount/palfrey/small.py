"""Every start on small boards, smallest first; each input is a JSON string on a line of its own."""

import json

SIZE = 5


boards = [
    f"{size} {row} {column}"
    for size in range(1, SIZE + 1)
    for row in range(1, size + 1)
    for column in range(1, size + 1)
]
for board in boards:
    print(json.dumps(board + "\n"))
