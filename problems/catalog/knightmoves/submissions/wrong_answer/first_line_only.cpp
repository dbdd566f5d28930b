// Answers the first line and stops.
#include <iostream>
#include <map>
#include <queue>
#include <string>

int main() {
    std::string a, b;
    std::cin >> a >> b;
    std::map<std::string, int> dist{{a, 0}};
    std::queue<std::string> queue;
    queue.push(a);
    while (!dist.count(b)) {
        std::string at = queue.front();
        queue.pop();
        for (char column = 'a'; column <= 'h'; column++)
            for (char row = '1'; row <= '8'; row++) {
                int dc = column - at[0], dr = row - at[1];
                std::string to{column, row};
                if (dc * dc + dr * dr == 5 && !dist.count(to)) {
                    dist[to] = dist[at] + 1;
                    queue.push(to);
                }
            }
    }
    std::cout << "To get from " << a << " to " << b << " takes " << dist[b] << " knight moves." << std::endl;
}
