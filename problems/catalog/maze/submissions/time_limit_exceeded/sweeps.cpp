// No queue: sweeps over the whole grid, lowering distances, until nothing changes any more. As many sweeps as the way has
// turns against the direction of the sweep.
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
    int width = rows[0].size(), height = rows.size(), far_away = width * height;
    int step[] = {-width, 1, width, -1};
    std::vector<int> walls, dist(width * height, far_away);
    for (auto& row : rows)
        for (char digit : row) walls.push_back(std::stoi(std::string(1, digit), nullptr, 16));
    dist[gy * width + gx] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int cell = 0; cell < width * height; cell++)
            for (int side = 0; side < 4; side++)
                if (!(walls[cell] >> side & 1) && dist[cell + step[side]] + 1 < dist[cell]) {
                    dist[cell] = dist[cell + step[side]] + 1;
                    changed = true;
                }
    }
    int cell = y * width + x;
    if (dist[cell] == far_away) {
        std::cout << "NO PATH\n";
        return 0;
    }
    std::string path;
    while (dist[cell] > 0)
        for (int side = 0; side < 4; side++)
            if (!(walls[cell] >> side & 1) && dist[cell + step[side]] == dist[cell] - 1) {
                path += "NESW"[side];
                cell += step[side];
                break;
            }
    std::cout << path << '\n';
}
