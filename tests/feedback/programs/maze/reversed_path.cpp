#include <iostream>
#include <queue>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
int main() {
    vector<string> rows;
    string line;
    while (getline(cin, line) && !line.empty()) rows.push_back(line);
    int ex, ey, gx, gy;
    char comma;
    cin >> ex >> comma >> ey >> gx >> comma >> gy;
    int h = rows.size(), w = rows[0].size();
    vector<vector<int>> from(h, vector<int>(w, -1));
    queue<pair<int, int>> q;
    q.push({ex, ey});
    from[ey][ex] = 4;
    int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    while (!q.empty()) {
        auto [x, y] = q.front();
        q.pop();
        int cell = stoi(string(1, rows[y][x]), nullptr, 16);
        for (int d = 0; d < 4; d++) {
            if (cell >> d & 1) continue;
            int u = x + dx[d], v = y + dy[d];
            if (from[v][u] >= 0) continue;
            from[v][u] = d;
            q.push({u, v});
        }
    }
    if (from[gy][gx] < 0) { cout << "NO PATH" << endl; return 0; }
    string path;
    while (from[gy][gx] != 4) {
        int d = from[gy][gx];
        path += "NESW"[d];
        gx -= dx[d];
        gy -= dy[d];
    }
    cout << path << endl;
}
