// Everything is right, and then main returns 1.
#include <iostream>
#include <queue>
#include <string>
#include <vector>

int main() {
    std::string a, b;
    while (std::cin >> a >> b) {
        std::vector<int> dist(64, -1);
        std::queue<int> queue;
        queue.push((a[0] - 'a') * 8 + a[1] - '1');
        dist[queue.front()] = 0;
        for (; !queue.empty(); queue.pop())
            for (int to = 0; to < 64; to++) {
                int dx = to / 8 - queue.front() / 8, dy = to % 8 - queue.front() % 8;
                if (dx * dx + dy * dy != 5 || dist[to] >= 0) continue;
                dist[to] = dist[queue.front()] + 1;
                queue.push(to);
            }
        std::cout << "To get from " << a << " to " << b << " takes " << dist[(b[0] - 'a') * 8 + b[1] - '1'] << " knight moves.\n";
    }
    return 1;
}
