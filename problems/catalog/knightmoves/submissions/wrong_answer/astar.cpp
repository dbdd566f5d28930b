// A* with an estimate that is too large (columns plus rows between the squares), so that it may settle for a detour.
#include <cstdlib>
#include <cstdio>
#include <queue>
#include <vector>

struct Node {
    int guess;
    int square, taken;
    bool operator<(const Node& other) const { return guess > other.guess; }
};

int main() {
    char a[3], b[3];
    while (scanf("%2s %2s", a, b) == 2) {
        int target = (b[0] - 'a') * 8 + b[1] - '1';
        auto estimate = [&](int square) { return std::abs(square / 8 - target / 8) + std::abs(square % 8 - target % 8); };
        std::vector<bool> closed(64);
        std::priority_queue<Node> open;
        int start = (a[0] - 'a') * 8 + a[1] - '1';
        open.push({estimate(start), start, 0});
        int answer = -1;
        while (answer < 0) {
            Node node = open.top();
            open.pop();
            if (node.square == target) answer = node.taken;
            if (closed[node.square]) continue;
            closed[node.square] = true;
            for (int dx = -2; dx <= 2; dx++)
                for (int dy = -2; dy <= 2; dy++) {
                    int x = node.square / 8 + dx, y = node.square % 8 + dy;
                    if (dx * dx + dy * dy != 5 || x < 0 || x > 7 || y < 0 || y > 7) continue;
                    open.push({node.taken + 1 + estimate(x * 8 + y), x * 8 + y, node.taken + 1});
                }
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, answer);
    }
}
