"""single.py: every single move of the knight, 336 of them, each edge of the graph in both directions."""

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

for column in range(8):
    for row in range(8):
        for dc, dr in MOVES:
            if 0 <= column + dc < 8 and 0 <= row + dr < 8:
                print("abcdefgh"[column] + "12345678"[row], "abcdefgh"[column + dc] + "12345678"[row + dr])
