"""Gives a walk up as soon as a square keeps a single way in, though the tour may end there."""


def count(n, row, column):
    squares = [(r, c) for r in range(1, n + 1) for c in range(1, n + 1)]
    bit = {square: 1 << i for i, square in enumerate(squares)}
    near = [sum(bit[s] for s in squares if (s[0] - r) ** 2 + (s[1] - c) ** 2 == 5) for r, c in squares]
    above_diagonal = sum(bit[r, c] for r, c in squares if r < c)
    start = squares.index((row, column))
    board = (1 << n * n) - 1
    mirrored = row == column and n > 1
    split = {}

    # Above the bits of the free squares a key has those of the end of the tour, once that is known.
    layer = [{} for _ in squares]
    layer[start][board ^ 1 << start] = 1
    for length in range(1, n * n):
        following = [{} for _ in squares]
        for square, states in enumerate(layer):
            for key, walks in states.items():
                free = key & board
                ends = key >> n * n
                candidates = near[square] & free
                if mirrored and length == 1:
                    candidates &= above_diagonal
                others = split.get(candidates)
                if others is None:
                    others = [(i, 1 << i, near[i]) for i in range(n * n) if candidates >> i & 1]
                    split[candidates] = others
                for _, other, around in others:
                    onward = around & free
                    if not onward & (onward - 1):
                        ends |= other
                        if not onward and free != other:
                            break
                else:
                    for i, other, _ in others:
                        rest = ends & ~other
                        if rest:
                            continue
                        there, after = following[i], free ^ other | rest << n * n
                        there[after] = there.get(after, 0) + walks
        layer = following
    tours = sum(sum(states.values()) for states in layer)
    return 2 * tours if mirrored else tours


print(count(*map(int, input().split())))
