/* Breadth-first search from the exit over arrays, so that the way can be printed forwards from the entry. */
#include <stdio.h>
#include <string.h>

#define MOST 1000

static char rows[MOST][MOST + 2];
static int far_away[MOST][MOST];
static int queue[MOST * MOST];

int main(void)
{
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    int height = 0, entry_x, entry_y, exit_x, exit_y, head = 0, tail = 0, side, x, y;

    while (height < MOST && fgets(rows[height], sizeof rows[height], stdin) && rows[height][0] != '\n')
        height++;
    if (scanf("%d,%d %d,%d", &entry_x, &entry_y, &exit_x, &exit_y) != 4)
        return 1;

    memset(far_away, -1, sizeof far_away);
    far_away[exit_y][exit_x] = 0;
    queue[tail++] = exit_y * MOST + exit_x;
    while (head < tail) {
        int walls;
        x = queue[head] % MOST;
        y = queue[head++] / MOST;
        walls = rows[y][x] <= '9' ? rows[y][x] - '0' : (rows[y][x] | 32) - 'a' + 10;
        for (side = 0; side < 4; side++)
            if (!(walls >> side & 1) && far_away[y + dy[side]][x + dx[side]] < 0) {
                far_away[y + dy[side]][x + dx[side]] = far_away[y][x] + 1;
                queue[tail++] = (y + dy[side]) * MOST + x + dx[side];
            }
    }

    x = entry_x;
    y = entry_y;
    if (far_away[y][x] < 0) {
        puts("NO PATH");
        return 0;
    }
    while (far_away[y][x] > 0) {
        int walls = rows[y][x] <= '9' ? rows[y][x] - '0' : (rows[y][x] | 32) - 'a' + 10;
        for (side = 0; side < 4; side++)
            if (!(walls >> side & 1) && far_away[y + dy[side]][x + dx[side]] == far_away[y][x] - 1)
                break;
        putchar("NESW"[side]);
        x += dx[side];
        y += dy[side];
    }
    putchar('\n');
    return 0;
}
