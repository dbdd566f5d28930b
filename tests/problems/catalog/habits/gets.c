/* gets, implicit int, and a main that returns nothing: right under C89. */
#include <stdio.h>
#include <string.h>

dist[8][8];
char line[100];

fill(x, y, n)
{
    int dx, dy;
    if (x < 0 || x > 7 || y < 0 || y > 7 || dist[x][y] <= n)
        return 0;
    dist[x][y] = n;
    for (dx = -2; dx <= 2; dx++)
        for (dy = -2; dy <= 2; dy++)
            if (dx * dx + dy * dy == 5)
                fill(x + dx, y + dy, n + 1);
    return 0;
}

main()
{
    int i;
    while (gets(line)) {
        for (i = 0; i < 64; i++)
            dist[i / 8][i % 8] = 7;
        fill(line[0] - 'a', line[1] - '1', 0);
        printf("To get from %.2s to %.2s takes %d knight moves.\n", line, line + 3, dist[line[3] - 'a'][line[4] - '1']);
    }
    return 0;
}
