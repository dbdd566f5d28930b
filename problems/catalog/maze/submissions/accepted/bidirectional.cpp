// Breadth-first search from both ends, a whole layer of the smaller side at a time.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>
#include <vector>

struct Side {
    char mark;
    std::vector<int> layer;
};

int main() {
    std::vector<int> walls;
    int width = 0;
    std::string line;
    while (std::getline(std::cin, line) && !line.empty()) {
        width = int(line.size());
        for (char c : line) walls.push_back(std::isdigit(c) ? c - '0' : std::toupper(c) - 'A' + 10);
    }
    int x, y;
    char comma;
    std::cin >> x >> comma >> y;
    int entry = y * width + x;
    std::cin >> x >> comma >> y;
    int goal = y * width + x;
    if (entry == goal) {
        std::cout << '\n';
        return 0;
    }

    const int step[4] = {-width, 1, width, -1};
    std::vector<char> owner(walls.size(), 0), by(walls.size(), 0);
    Side sides[2] = {{1, {entry}}, {2, {goal}}};
    owner[entry] = 1;
    owner[goal] = 2;
    int from = -1, over = -1;  // the passage where the two meet: from a cell of the entry's side, over this side of it
    while (from < 0 && !sides[0].layer.empty() && !sides[1].layer.empty()) {
        Side& side = sides[0].layer.size() <= sides[1].layer.size() ? sides[0] : sides[1];
        std::vector<int> next;
        for (int cell : side.layer) {
            for (int k = 0; k < 4 && from < 0; k++) {
                if (walls[cell] >> k & 1) continue;
                int to = cell + step[k];
                if (owner[to] == 0) {
                    owner[to] = side.mark;
                    by[to] = char(k);
                    next.push_back(to);
                } else if (owner[to] != side.mark) {
                    from = side.mark == 1 ? cell : to;
                    over = side.mark == 1 ? k : (k + 2) % 4;
                }
            }
            if (from >= 0) break;
        }
        side.layer.swap(next);
    }
    if (from < 0) {
        std::cout << "NO PATH\n";
        return 0;
    }
    std::string path;
    for (int cell = from; cell != entry; cell -= step[int(by[cell])]) path += "NESW"[int(by[cell])];
    std::reverse(path.begin(), path.end());
    path += "NESW"[over];
    for (int cell = from + step[over]; cell != goal; cell -= step[int(by[cell])]) path += "SWNE"[int(by[cell])];
    std::cout << path << '\n';
}
