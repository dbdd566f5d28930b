// Right up to 31 x 31: the numbers are kept as three digits and what comes after them is cut off.
#include <algorithm>
#include <cstdio>
#include <vector>

const int ROW[8] = {-2, -1, 1, 2, 2, 1, -1, -2};
const int COLUMN[8] = {1, 2, 2, 1, -1, -2, -2, -1};

enum Found { TOUR, NOTHING, LOST };

int n, turn;
long long budget;
std::vector<std::vector<int>> visit;  // visit number of each square, 0 while it is free

bool isFree(int r, int c) { return r >= 0 && r < n && c >= 0 && c < n && visit[r][c] == 0; }

int waysOn(int r, int c) {
    int ways = 0;
    for (int m = 0; m < 8; m++) ways += isFree(r + ROW[m], c + COLUMN[m]);
    return ways;
}

struct Candidate {
    int ways, nearness, r, c;
    bool operator<(const Candidate& other) const {
        return ways != other.ways ? ways < other.ways : nearness < other.nearness;
    }
};

Found search(int r, int c, int number) {
    if (budget-- <= 0) return LOST;
    visit[r][c] = number;
    if (number == n * n) return TOUR;
    Candidate candidates[8];
    int count = 0;
    for (int i = 0; i < 8; i++) {
        int m = (i + turn) % 8, a = r + ROW[m], b = c + COLUMN[m];
        if (!isFree(a, b)) continue;
        int down = 2 * a - n + 1, right = 2 * b - n + 1;
        candidates[count++] = {waysOn(a, b), -(down * down + right * right), a, b};
    }
    std::stable_sort(candidates, candidates + count);
    for (int i = 0; i < count; i++) {
        Found found = search(candidates[i].r, candidates[i].c, number + 1);
        if (found != NOTHING) return found;
    }
    visit[r][c] = 0;
    return NOTHING;
}

int main() {
    int row, column;
    if (scanf("%d %d %d", &n, &row, &column) != 3) return 1;
    // A knight changes colour with every move: on an odd board one colour has a square more, and a tour starts on it.
    Found found = n % 2 == 1 && (row + column) % 2 == 1 ? NOTHING : LOST;
    for (long long allowed = 8LL * n * n; found == LOST; allowed *= 2, turn++) {
        visit.assign(n, std::vector<int>(n, 0));
        budget = allowed;
        found = search(row - 1, column - 1, 1);
    }
    if (found == NOTHING) {
        puts("NO TOUR");
        return 0;
    }
    for (const auto& line : visit)
        for (int c = 0; c < n; c++) printf("%d%c", line[c] % 1000, c + 1 < n ? ' ' : '\n');
}
