#include <cstdio>
#include <cstdlib>

int tx, ty, best;

void walk(int x, int y, int n) {
    if (x < 0 || y < 0 || x > 7 || y > 7) return;
    if (x == tx && y == ty && n < best) best = n;
    walk(x + 1, y + 2, n + 1);
    walk(x + 2, y + 1, n + 1);
    walk(x - 1, y - 2, n + 1);
    walk(x - 2, y - 1, n + 1);
    walk(x + 1, y - 2, n + 1);
    walk(x - 1, y + 2, n + 1);
    walk(x + 2, y - 1, n + 1);
    walk(x - 2, y + 1, n + 1);
}

int main() {
    char a[3], b[3];
    while (scanf("%s %s", a, b) == 2) {
        tx = b[0] - 'a';
        ty = b[1] - '1';
        best = 1000;
        walk(a[0] - 'a', a[1] - '1', 0);
        printf("To get from %s to %s takes %d knight moves.\n", a, b, best);
    }
}
