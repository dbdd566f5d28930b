#include <stdio.h>
int n, b[64][64];
int step(int r, int c, int k) {
    static const int m[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    b[r][c] = k;
    if (k == n * n) return 1;
    for (int i = 0; i < 8; i++) {
        int x = r + m[i][0], y = c + m[i][1];
        if (x >= 0 && y >= 0 && x < n && y < n && !b[x][y] && step(x, y, k + 1)) return 1;
    }
    b[r][c] = 0;
    return 0;
}
int main(void) {
    int r, c;
    scanf("%d%d%d", &n, &r, &c);
    if (!step(r - 1, c - 1, 1)) { puts("NO TOUR"); return 0; }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) printf("%d ", b[i][j]);
        puts("");
    }
    return 0;
}
