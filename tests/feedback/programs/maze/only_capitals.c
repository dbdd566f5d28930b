#include <stdio.h>
#include <string.h>
static char row[1005][1005];
static int from[1005][1005], qx[1000005], qy[1000005];
static char path[1000005];
int main(void) {
    int h = 0, ex, ey, gx, gy, head = 0, tail = 0, n = 0;
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    while (fgets(row[h], 1005, stdin) && row[h][0] != '\n') h++;
    scanf("%d,%d %d,%d", &ex, &ey, &gx, &gy);
    memset(from, -1, sizeof from);
    from[ey][ex] = 9;
    qx[tail] = ex; qy[tail++] = ey;
    while (head < tail) {
        int x = qx[head], y = qy[head++];
        char ch = row[y][x];
        const char *digits = "0123456789ABCDEF", *at = strchr(digits, ch);
        int cell = at ? at - digits : 15;
        for (int d = 0; d < 4; d++) {
            int u = x + dx[d], v = y + dy[d];
            if (cell & (1 << d) || u < 0 || v < 0 || u > 1000 || v >= h || from[v][u] != -1) continue;
            from[v][u] = d;
            qx[tail] = u; qy[tail++] = v;
        }
    }
    if (from[gy][gx] < 0) { puts("NO PATH"); return 0; }
    for (int d; (d = from[gy][gx]) != 9; gx -= dx[d], gy -= dy[d]) path[n++] = "NESW"[d];
    while (n--) putchar(path[n]);
    puts("");
    return 0;
}
