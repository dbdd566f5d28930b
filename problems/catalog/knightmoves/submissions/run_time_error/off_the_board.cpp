// Looks at the neighbour before it asks whether the neighbour is on the board; at() throws.
#include <cstdio>
#include <queue>
#include <vector>

int main() {
    char a[3], b[3];
    const int dx[] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[] = {2, 1, -1, -2, -2, -1, 1, 2};
    while (scanf("%2s %2s", a, b) == 2) {
        std::vector<std::vector<int>> dist(8, std::vector<int>(8, -1));
        std::queue<std::pair<int, int>> queue;
        queue.push({a[0] - 'a', a[1] - '1'});
        dist[a[0] - 'a'][a[1] - '1'] = 0;
        while (dist[b[0] - 'a'][b[1] - '1'] < 0) {
            auto [x, y] = queue.front();
            queue.pop();
            for (int k = 0; k < 8; k++)
                if (dist.at(x + dx[k]).at(y + dy[k]) < 0) {
                    dist[x + dx[k]][y + dy[k]] = dist[x][y] + 1;
                    queue.push({x + dx[k], y + dy[k]});
                }
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, dist[b[0] - 'a'][b[1] - '1']);
    }
}
