// Backtracking that tries the moves in a fixed order. It finds its way on boards up to 5 x 5; on larger ones it may
// take longer than anybody lives, so after ten million steps it gives up and says so by its exit code.
#include <cstdio>
#include <cstdlib>

const int ROW[8] = {2, 1, -1, -2, -2, -1, 1, 2};
const int COLUMN[8] = {1, 2, 2, 1, -1, -2, -2, -1};

int n, visit[64][64];
long long steps;

bool search(int r, int c, int number) {
    if (++steps > 10000000) exit(3);
    visit[r][c] = number;
    if (number == n * n) return true;
    for (int m = 0; m < 8; m++) {
        int a = r + ROW[m], b = c + COLUMN[m];
        if (a < 0 || a >= n || b < 0 || b >= n || visit[a][b]) continue;
        if (search(a, b, number + 1)) return true;
    }
    visit[r][c] = 0;
    return false;
}

int main() {
    int row, column;
    if (scanf("%d %d %d", &n, &row, &column) != 3) return 1;
    if (!search(row - 1, column - 1, 1)) {
        puts("NO TOUR");
        return 0;
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) printf("%d%c", visit[r][c], c + 1 < n ? ' ' : '\n');
}
