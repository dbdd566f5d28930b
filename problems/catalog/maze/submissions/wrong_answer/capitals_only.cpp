// Knows the digits A to F only as capitals.
#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> rows;
    std::string line;
    while (std::getline(std::cin, line) && !line.empty()) rows.push_back(line);
    int x, y, gx, gy;
    char comma;
    std::cin >> x >> comma >> y >> gx >> comma >> gy;
    int width = rows[0].size(), height = rows.size();
    std::vector<int> came(width * height, -1);
    std::queue<int> queue;
    queue.push(y * width + x);
    came[y * width + x] = 4;
    int step[] = {-width, 1, width, -1};
    while (!queue.empty()) {
        int cell = queue.front();
        queue.pop();
        int walls = std::string("0123456789ABCDEF").find(rows[cell / width][cell % width]);
        for (int side = 0; side < 4; side++) {
            int to = cell + step[side];
            if ((walls >> side & 1) || to < 0 || to >= width * height || came[to] >= 0) continue;
            came[to] = side;
            queue.push(to);
        }
    }
    std::string path;
    int cell = gy * width + gx;
    if (came[cell] < 0) {
        std::cout << "NO PATH\n";
        return 0;
    }
    for (; came[cell] != 4; cell -= step[came[cell]]) path += "NESW"[came[cell]];
    std::reverse(path.begin(), path.end());
    std::cout << path << '\n';
}
