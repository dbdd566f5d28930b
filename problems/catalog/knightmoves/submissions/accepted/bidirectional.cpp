// Breadth-first search from both ends at once: a whole layer of the smaller side at a time, until the sides touch.
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

using Square = int;  // column * 8 + row

static const std::array<std::pair<int, int>, 8> moves{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

static int meet(Square from, Square to) {
    if (from == to) return 0;
    std::array<char, 64> side{};  // 0: not seen, 1: seen from the start, 2: seen from the target
    std::vector<Square> layer[3];
    layer[1] = {from};
    layer[2] = {to};
    side[from] = 1;
    side[to] = 2;
    for (int taken = 1;; ++taken) {
        int mine = layer[1].size() <= layer[2].size() ? 1 : 2;
        std::vector<Square> next;
        for (Square square : layer[mine]) {
            for (auto [dc, dr] : moves) {
                int c = square / 8 + dc, r = square % 8 + dr;
                if (c < 0 || c > 7 || r < 0 || r > 7) continue;
                char seen = side[c * 8 + r];
                if (seen == 3 - mine) return taken;
                if (seen == 0) {
                    side[c * 8 + r] = char(mine);
                    next.push_back(c * 8 + r);
                }
            }
        }
        layer[mine] = next;
    }
}

int main() {
    char a[4], b[4];
    while (std::scanf("%2s %2s", a, b) == 2) {
        int n = meet((a[0] - 'a') * 8 + a[1] - '1', (b[0] - 'a') * 8 + b[1] - '1');
        std::printf("To get from %s to %s takes %d knight moves.\n", a, b, n);
    }
}
