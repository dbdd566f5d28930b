"""corners.py: from each of the four corners, and from the square next to it on the diagonal, to every square."""

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]

for start in ("a1", "a8", "h1", "h8", "b2", "b7", "g2", "g7"):
    for target in SQUARES:
        print(start, target)
