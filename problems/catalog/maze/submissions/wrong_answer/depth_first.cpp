// Depth-first with a stack of its own: finds a way, in a maze with loops seldom the shortest.
#include <iostream>
#include <stack>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<string> rows;
    string line, path;
    while (getline(cin, line) && !line.empty()) rows.push_back(line);
    int x, y, gx, gy;
    char c;
    cin >> x >> c >> y >> gx >> c >> gy;
    vector<string> seen(rows.size(), string(rows[0].size(), 0));
    int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    seen[y][x] = 1;
    while (x != gx || y != gy) {
        int walls = stoi(string(1, rows[y][x]), nullptr, 16), side = 0;
        while (side < 4 && ((walls >> side & 1) || seen[y + dy[side]][x + dx[side]])) side++;
        if (side < 4) {
            path += "NESW"[side];
            x += dx[side];
            y += dy[side];
            seen[y][x] = 1;
        } else if (path.empty()) {
            cout << "NO PATH" << endl;
            return 0;
        } else {
            int back = string("NESW").find(path.back());
            path.pop_back();
            x -= dx[back];
            y -= dy[back];
        }
    }
    cout << path << endl;
}
