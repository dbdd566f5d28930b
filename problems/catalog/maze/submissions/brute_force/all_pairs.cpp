// Distances between all pairs of cells by Floyd and Warshall: from about 8,000 cells on there is no room for them.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> rows;
    std::string line;
    while (std::getline(std::cin, line) && !line.empty()) rows.push_back(line);
    int x, y, gx, gy;
    char comma;
    std::cin >> x >> comma >> y >> gx >> comma >> gy;
    long long width = rows[0].size(), cells = width * rows.size(), far_away = cells;
    long long step[] = {-width, 1, width, -1};
    std::vector<int> walls;
    for (auto& row : rows)
        for (char digit : row) walls.push_back(std::stoi(std::string(1, digit), nullptr, 16));
    std::vector<long long> dist(cells * cells, far_away);
    for (long long cell = 0; cell < cells; cell++) {
        dist[cell * cells + cell] = 0;
        for (int side = 0; side < 4; side++)
            if (!(walls[cell] >> side & 1)) dist[cell * cells + cell + step[side]] = 1;
    }
    for (long long by = 0; by < cells; by++)
        for (long long a = 0; a < cells; a++)
            for (long long b = 0; b < cells; b++)
                dist[a * cells + b] = std::min(dist[a * cells + b], dist[a * cells + by] + dist[by * cells + b]);
    long long cell = y * width + x, goal = gy * width + gx;
    if (dist[cell * cells + goal] == far_away) {
        std::cout << "NO PATH" << std::endl;
        return 0;
    }
    while (cell != goal)
        for (int side = 0; side < 4; side++)
            if (!(walls[cell] >> side & 1) && dist[(cell + step[side]) * cells + goal] == dist[cell * cells + goal] - 1) {
                std::cout << "NESW"[side];
                cell += step[side];
                break;
            }
    std::cout << std::endl;
}
