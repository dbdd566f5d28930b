// Keeps the right hand on the wall. In a perfect maze that arrives, with every dead end walked through twice.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> rows;
    std::string line, path;
    while (std::getline(std::cin, line) && !line.empty()) rows.push_back(line);
    int x, y, gx, gy;
    char c;
    std::cin >> x >> c >> y >> gx >> c >> gy;
    int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0}, facing = 0;
    auto walls = [&](int x, int y) { return std::stoi(std::string(1, rows[y][x]), nullptr, 16); };
    size_t most = 4 * rows.size() * rows[0].size();
    while ((x != gx || y != gy) && path.size() <= most && walls(x, y) != 15) {
        facing = (facing + 1) % 4;
        while (walls(x, y) >> facing & 1) facing = (facing + 3) % 4;
        path += "NESW"[facing];
        x += dx[facing];
        y += dy[facing];
    }
    std::cout << (x != gx || y != gy ? "NO PATH" : path) << '\n';
}
