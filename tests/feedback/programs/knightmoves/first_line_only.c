#include <stdio.h>
#include <string.h>

int best[8][8];

void go(int x, int y, int d) {
    if (x < 0 || y < 0 || x > 7 || y > 7 || d >= best[x][y] || d > 6) return;
    best[x][y] = d;
    go(x + 1, y + 2, d + 1); go(x + 1, y - 2, d + 1); go(x - 1, y + 2, d + 1); go(x - 1, y - 2, d + 1);
    go(x + 2, y + 1, d + 1); go(x + 2, y - 1, d + 1); go(x - 2, y + 1, d + 1); go(x - 2, y - 1, d + 1);
}

int main(void) {
    char a[3], b[3];
    scanf("%2s %2s", a, b);
    for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) best[i][j] = 99;
    go(a[0] - 'a', a[1] - '1', 0);
    printf("To get from %s to %s takes %d knight moves.\n", a, b, best[b[0] - 'a'][b[1] - '1']);
    return 0;
}
