/* One-way breadth-first search over an array that serves as the queue. */
#include <stdio.h>
#include <string.h>

static const int dc[8] = {1, 2, 2, 1, -1, -2, -2, -1};
static const int dr[8] = {2, 1, -1, -2, -2, -1, 1, 2};

static int search(int from, int to)
{
    int dist[64], queue[64], head = 0, tail = 0, k;
    memset(dist, -1, sizeof dist);
    dist[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int square = queue[head++];
        if (square == to)
            break;
        for (k = 0; k < 8; k++) {
            int c = square / 8 + dc[k], r = square % 8 + dr[k];
            if (c >= 0 && c < 8 && r >= 0 && r < 8 && dist[c * 8 + r] < 0) {
                dist[c * 8 + r] = dist[square] + 1;
                queue[tail++] = c * 8 + r;
            }
        }
    }
    return dist[to];
}

int main(void)
{
    char a[4], b[4];
    while (scanf("%2s %2s", a, b) == 2)
        printf("To get from %s to %s takes %d knight moves.\n", a, b,
               search((a[0] - 'a') * 8 + a[1] - '1', (b[0] - 'a') * 8 + b[1] - '1'));
    return 0;
}
