#include <cstdio>
int n, b[60][60];
int dx[] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[] = {2, 1, -1, -2, -2, -1, 1, 2};
bool ok(int x, int y) { return x >= 0 && y >= 0 && x < n && y < n && !b[x][y]; }
int deg(int x, int y) {
    int k = 0;
    for (int i = 0; i < 8; i++) k += ok(x + dx[i], y + dy[i]);
    return k;
}
int main() {
    int x, y;
    scanf("%d %d %d", &n, &x, &y);
    x--, y--;
    b[x][y] = 1;
    for (int k = 2; k <= n * n; k++) {
        int best = 9, at = -1;
        for (int i = 0; i < 8; i++)
            if (ok(x + dx[i], y + dy[i]) && deg(x + dx[i], y + dy[i]) < best) best = deg(x + dx[i], y + dy[i]), at = i;
        if (at < 0) { puts("NO TOUR"); return 0; }
        x += dx[at], y += dy[at];
        b[x][y] = k;
    }
    for (int i = 0; i < n; i++, puts("")) for (int j = 0; j < n; j++) printf("%d ", b[i][j]);
}
