// Plain backtracking: every walk is followed until the knight is stuck. Fine up to 5 x 5, several minutes for 6 x 6.
#include <cstdio>

const int ROW[8] = {-2, -2, -1, -1, 1, 1, 2, 2};
const int COLUMN[8] = {-1, 1, -2, 2, -2, 2, -1, 1};

int n;
bool visited[8][8];
long long tours;

void walk(int r, int c, int number) {
    if (number == n * n) {
        tours++;
        return;
    }
    visited[r][c] = true;
    for (int m = 0; m < 8; m++) {
        int a = r + ROW[m], b = c + COLUMN[m];
        if (a >= 0 && a < n && b >= 0 && b < n && !visited[a][b]) walk(a, b, number + 1);
    }
    visited[r][c] = false;
}

int main() {
    int row, column;
    if (scanf("%d %d %d", &n, &row, &column) != 3) return 1;
    walk(row - 1, column - 1, 1);
    printf("%lld\n", tours);
}
