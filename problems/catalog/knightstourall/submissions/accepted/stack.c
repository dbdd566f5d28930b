/* Backtracking without recursion: step[k] is the last move tried from the k-th square of the walk. */
#include <stdio.h>

static const int ROW[8] = {1, 2, 2, 1, -1, -2, -2, -1};
static const int COLUMN[8] = {2, 1, -1, -2, -2, -1, 1, 2};

int main(void)
{
    int n, k = 0, i, a, b;
    int row[25], column[25], step[25], visited[6][6] = {{0}};
    long tours = 0;
    if (scanf("%d %d %d", &n, &row[0], &column[0]) != 3)
        return 1;
    visited[row[0]][column[0]] = 1;
    step[0] = 0;
    while (k >= 0) {
        if (k == n * n - 1) {
            printf("Solution %ld:\n", ++tours);
            for (i = 0; i <= k; i++)
                printf("%d-%d ", row[i], column[i]);
            printf("\n\n");
        } else if (step[k] < 8) {
            a = row[k] + ROW[step[k]];
            b = column[k] + COLUMN[step[k]];
            step[k]++;
            if (a >= 1 && a <= n && b >= 1 && b <= n && !visited[a][b]) {
                k++;
                row[k] = a;
                column[k] = b;
                step[k] = 0;
                visited[a][b] = 1;
            }
            continue;
        }
        visited[row[k]][column[k]] = 0;
        k--;
    }
    return 0;
}
