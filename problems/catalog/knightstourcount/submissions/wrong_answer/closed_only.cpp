// Counts closed tours only: those that end a move away from the start.
#include <cstdint>
#include <iostream>

using Squares = std::uint64_t;

int n;
Squares near[36], wrongColour, start;

int lowest(Squares squares) { return __builtin_ctzll(squares); }
bool several(Squares squares) { return (squares & (squares - 1)) != 0; }

// Tours that go on from `square` over all of `free`, to `end` if that is not empty.
long long count(int square, Squares free, Squares end) {
    if (free == 0) return (near[square] & start) != 0;
    Squares candidates = near[square] & free, tight = 0;
    for (Squares rest = candidates; rest != 0; rest &= rest - 1) {
        int other = lowest(rest);
        Squares onward = near[other] & free;
        if (onward == 0) return free == Squares(1) << other && (near[other] & start) != 0;
        if (!several(onward)) tight |= Squares(1) << other;
    }
    long long tours = 0;
    for (Squares rest = candidates; rest != 0; rest &= rest - 1) {
        Squares other = rest & -rest, ends = (end | tight) & ~other;
        if (several(ends) || (ends & wrongColour) != 0 || (other == end && free != other)) continue;
        tours += count(lowest(rest), free & ~other, ends);
    }
    return tours;
}

int main() {
    int row, column;
    std::cin >> n >> row >> column;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    if ((a - r) * (a - r) + (b - c) * (b - c) == 5) near[r * n + c] |= Squares(1) << (a * n + b);
            // Colours alternate, so after an odd number of moves the knight stands on the other colour.
            if ((r + c + row + column) % 2 == n * n % 2) wrongColour |= Squares(1) << (r * n + c);
        }
    int first = (row - 1) * n + column - 1;
    start = Squares(1) << first;
    Squares board = (Squares(1) << (n * n)) - 1;
    std::cout << count(first, board & ~start, 0) << '\n';
}
