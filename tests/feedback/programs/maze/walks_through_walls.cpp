#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>
int main() {
    std::vector<std::string> rows;
    for (std::string line; std::getline(std::cin, line) && !line.empty();) rows.push_back(line);
    int x0, y0, x1, y1;
    char k;
    std::cin >> x0 >> k >> y0 >> x1 >> k >> y1;
    int h = rows.size(), w = rows[0].size();
    auto open = [&](int x, int y) { return rows[y][x] != 'F'; };
    std::vector<std::vector<int>> from(h, std::vector<int>(w, -1));
    std::queue<std::pair<int, int>> q;
    q.push({x0, y0});
    from[y0][x0] = 4;
    const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    while (!q.empty()) {
        auto [x, y] = q.front();
        q.pop();
        for (int d = 0; d < 4; ++d) {
            int u = x + dx[d], v = y + dy[d];
            if (u < 0 || v < 0 || u >= w || v >= h || !open(u, v) || from[v][u] >= 0) continue;
            from[v][u] = d;
            q.push({u, v});
        }
    }
    if (from[y1][x1] < 0) { std::cout << "NO PATH\n"; return 0; }
    std::string path;
    for (int d; (d = from[y1][x1]) != 4; x1 -= dx[d], y1 -= dy[d]) path += "NESW"[d];
    std::reverse(path.begin(), path.end());
    std::cout << path << "\n";
}
