// Marks a cell as seen only when it leaves the queue. Where many ways of the same length lead to a cell it waits there
// once for each of them, and their number doubles with almost every step: time or memory runs out.
#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

struct Entry {
    int cell, from;
};

int main() {
    std::vector<std::string> rows;
    std::string line;
    while (std::getline(std::cin, line) && !line.empty()) rows.push_back(line);
    int x, y, gx, gy;
    char comma;
    std::cin >> x >> comma >> y >> gx >> comma >> gy;
    int width = rows[0].size(), goal = gy * width + gx;
    int step[] = {-width, 1, width, -1};
    std::vector<int> came(width * rows.size(), -1);
    std::queue<Entry> queue;
    queue.push({y * width + x, 4});
    while (!queue.empty()) {
        auto [cell, from] = queue.front();
        queue.pop();
        if (came[cell] < 0) came[cell] = from;
        if (cell == goal) break;
        int walls = std::stoi(std::string(1, rows[cell / width][cell % width]), nullptr, 16);
        for (int side = 0; side < 4; side++)
            if (!(walls >> side & 1) && came[cell + step[side]] < 0) queue.push({cell + step[side], side});
    }
    if (came[goal] < 0) {
        std::cout << "NO PATH\n";
        return 0;
    }
    std::string path;
    for (int cell = goal; came[cell] < 4; cell -= step[came[cell]]) path += "NESW"[came[cell]];
    std::reverse(path.begin(), path.end());
    std::cout << path << '\n';
}
