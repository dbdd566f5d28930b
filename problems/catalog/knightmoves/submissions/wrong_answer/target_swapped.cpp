// Takes the row of the target for its column and the column for its row.
#include <cstdio>
#include <cstring>

int main() {
    char a[3], b[3];
    while (scanf("%2s %2s", a, b) == 2) {
        int dist[8][8], queue[64], head = 0, tail = 0;
        memset(dist, -1, sizeof dist);
        dist[a[0] - 'a'][a[1] - '1'] = 0;
        queue[tail++] = (a[0] - 'a') * 8 + a[1] - '1';
        while (head < tail) {
            int x = queue[head] / 8, y = queue[head] % 8;
            head++;
            for (int nx = 0; nx < 8; nx++)
                for (int ny = 0; ny < 8; ny++)
                    if ((nx - x) * (nx - x) + (ny - y) * (ny - y) == 5 && dist[nx][ny] < 0) {
                        dist[nx][ny] = dist[x][y] + 1;
                        queue[tail++] = nx * 8 + ny;
                    }
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, dist[b[1] - '1'][b[0] - 'a']);
    }
}
