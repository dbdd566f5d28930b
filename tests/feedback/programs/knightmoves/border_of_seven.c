#include <stdio.h>
#include <string.h>

int main(void) {
    static const int dx[] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[] = {2, 1, -1, -2, -2, -1, 1, 2};
    char a[4], b[4];
    while (scanf("%3s%3s", a, b) == 2) {
        int d[8][8], qx[100], qy[100], head = 0, tail = 0;
        memset(d, -1, sizeof d);
        d[a[0] - 'a'][a[1] - '1'] = 0;
        qx[tail] = a[0] - 'a';
        qy[tail++] = a[1] - '1';
        while (head < tail) {
            int x = qx[head], y = qy[head++];
            for (int i = 0; i < 8; i++) {
                int u = x + dx[i], v = y + dy[i];
                if (u >= 0 && v >= 0 && u < 7 && v < 7 && d[u][v] < 0) {
                    d[u][v] = d[x][y] + 1;
                    qx[tail] = u;
                    qy[tail++] = v;
                }
            }
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, d[b[0] - 'a'][b[1] - '1']);
    }
    return 0;
}
