// Breadth-first search from the entry; each cell remembers by which letter it was reached.
#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

using namespace std;

int main() {
    ios::sync_with_stdio(false);
    vector<string> rows;
    string line;
    while (getline(cin, line) && !line.empty()) rows.push_back(line);
    int entry_x, entry_y, exit_x, exit_y;
    char comma;
    cin >> entry_x >> comma >> entry_y >> exit_x >> comma >> exit_y;

    const string letters = "NESW";
    const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    vector<string> came(rows.size(), string(rows[0].size(), ' '));
    queue<pair<int, int>> waiting;
    waiting.push({entry_x, entry_y});
    came[entry_y][entry_x] = '.';
    while (!waiting.empty() && came[exit_y][exit_x] == ' ') {
        auto [x, y] = waiting.front();
        waiting.pop();
        char digit = rows[y][x];
        int walls = digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10;
        for (int side = 0; side < 4; side++) {
            if (walls >> side & 1) continue;
            int nx = x + dx[side], ny = y + dy[side];
            if (came[ny][nx] != ' ') continue;
            came[ny][nx] = letters[side];
            waiting.push({nx, ny});
        }
    }

    if (came[exit_y][exit_x] == ' ') {
        cout << "NO PATH\n";
        return 0;
    }
    string path;
    for (int x = exit_x, y = exit_y; came[y][x] != '.';) {
        path += came[y][x];
        size_t side = letters.find(came[y][x]);
        x -= dx[side];
        y -= dy[side];
    }
    reverse(path.begin(), path.end());
    cout << path << '\n';
}
