/* Warnsdorff's rule with backtracking, plain C89. The tie is broken away from the centre; when a search takes too
   long, the next one looks at the moves in another order. */
#include <stdio.h>
#include <string.h>

static const int ROW[8] = {1, 2, 2, 1, -1, -2, -2, -1};
static const int COLUMN[8] = {2, 1, -1, -2, -2, -1, 1, 2};

static int n, turn;
static long left;
static int visit[54][54]; /* two squares of border on each side, which are never free */

static int ways(int r, int c)
{
    int m, count = 0;
    for (m = 0; m < 8; m++)
        if (visit[r + ROW[m]][c + COLUMN[m]] == 0)
            count++;
    return count;
}

static long rank_of(int r, int c)
{
    long down = 2 * r - n - 3, right = 2 * c - n - 3;
    return ways(r, c) * 100000L - down * down - right * right;
}

/* 1: found, 0: there is none, -1: gave up */
static int search(int r, int c, int number)
{
    long rank[8];
    int tried[8], m, i, best, found;
    if (left-- <= 0)
        return -1;
    visit[r][c] = number;
    if (number == n * n)
        return 1;
    for (m = 0; m < 8; m++) {
        int a = r + ROW[m], b = c + COLUMN[m];
        tried[m] = visit[a][b] != 0;
        rank[m] = tried[m] ? 0 : rank_of(a, b);
    }
    for (;;) {
        best = -1;
        for (i = 0; i < 8; i++) {
            m = (i + turn) % 8;
            if (!tried[m] && (best < 0 || rank[m] < rank[best]))
                best = m;
        }
        if (best < 0)
            break;
        tried[best] = 1;
        found = search(r + ROW[best], c + COLUMN[best], number + 1);
        if (found != 0)
            return found;
    }
    visit[r][c] = 0;
    return 0;
}

int main(void)
{
    int row, column, r, c, found = -1;
    long allowed;
    if (scanf("%d %d %d", &n, &row, &column) != 3)
        return 1;
    if (n % 2 == 1 && (row + column) % 2 == 1)
        found = 0;
    for (allowed = 10L * n * n; found < 0; allowed *= 2, turn++) {
        memset(visit, -1, sizeof visit);
        for (r = 2; r < n + 2; r++)
            for (c = 2; c < n + 2; c++)
                visit[r][c] = 0;
        left = allowed;
        found = search(row + 1, column + 1, 1);
    }
    if (found == 0) {
        puts("NO TOUR");
        return 0;
    }
    for (r = 2; r < n + 2; r++) {
        for (c = 2; c < n + 2; c++)
            printf("%5d", visit[r][c]);
        puts("");
    }
    return 0;
}
