// Counts walks that leave one square out.
#include <cstdint>
#include <iostream>

using Squares = std::uint64_t;

int n;
Squares near[36];

int lowest(Squares squares) { return __builtin_ctzll(squares); }
bool several(Squares squares) { return (squares & (squares - 1)) != 0; }

bool tooMany(Squares squares) { return several(squares & (squares - 1)); }

// Walks that go on from `square` until one square of `free` is left; that one and the last one of the walk are the
// two that may have a single way in.
long long count(int square, Squares free, Squares ends) {
    if (!several(free)) return 1;
    Squares candidates = near[square] & free, tight = 0;
    for (Squares rest = candidates; rest != 0; rest &= rest - 1) {
        int other = lowest(rest);
        if (!several(near[other] & free)) tight |= Squares(1) << other;
    }
    long long walks = 0;
    for (Squares rest = candidates; rest != 0; rest &= rest - 1) {
        Squares other = rest & -rest, left = (ends | tight) & ~other;
        if (!tooMany(left)) walks += count(lowest(rest), free & ~other, left);
    }
    return walks;
}

int main() {
    int row, column;
    std::cin >> n >> row >> column;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    if ((a - r) * (a - r) + (b - c) * (b - c) == 5) near[r * n + c] |= Squares(1) << (a * n + b);
        }
    int start = (row - 1) * n + column - 1;
    Squares board = (Squares(1) << (n * n)) - 1;
    std::cout << count(start, board & ~(Squares(1) << start), 0) << '\n';
}
