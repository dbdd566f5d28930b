// Room for 100 x 100 cells, and at() to notice when that is not enough.
#include <algorithm>
#include <array>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

std::array<std::array<char, 100>, 100> came;

int main() {
    std::vector<std::string> rows;
    std::string line, path;
    while (std::getline(std::cin, line) && !line.empty()) rows.push_back(line);
    int x, y, gx, gy;
    char comma;
    std::cin >> x >> comma >> y >> gx >> comma >> gy;
    int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    std::queue<std::pair<int, int>> queue;
    queue.push({x, y});
    came.at(y).at(x) = '.';
    while (!queue.empty()) {
        auto [x, y] = queue.front();
        queue.pop();
        for (int side = 0; side < 4; side++) {
            if (std::stoi(rows[y].substr(x, 1), nullptr, 16) >> side & 1) continue;
            char& mark = came.at(y + dy[side]).at(x + dx[side]);
            if (mark) continue;
            mark = "NESW"[side];
            queue.push({x + dx[side], y + dy[side]});
        }
    }
    if (!came.at(gy).at(gx)) {
        std::cout << "NO PATH" << std::endl;
        return 0;
    }
    while (came[gy][gx] != '.') {
        path += came[gy][gx];
        int side = std::string("NESW").find(path.back());
        gx -= dx[side];
        gy -= dy[side];
    }
    std::reverse(path.begin(), path.end());
    std::cout << path << std::endl;
}
