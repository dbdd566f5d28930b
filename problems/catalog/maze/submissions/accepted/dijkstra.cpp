// Dijkstra with a heap: where every step costs 1 it does what breadth-first search does, with more work.
#include <bits/stdc++.h>
using namespace std;

int main() {
    vector<string> g;
    for (string s; getline(cin, s) && s != "";) g.push_back(s);
    int sx, sy, tx, ty;
    scanf("%d,%d %d,%d", &sx, &sy, &tx, &ty);
    int h = g.size(), w = g[0].size();
    vector<vector<int>> d(h, vector<int>(w, INT_MAX));
    priority_queue<tuple<int, int, int>> q;
    d[ty][tx] = 0;
    q.push({0, tx, ty});
    int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    auto open = [&](int x, int y, int k) { return !(stoi(string(1, g[y][x]), nullptr, 16) >> k & 1); };
    while (!q.empty()) {
        auto [c, x, y] = q.top();
        q.pop();
        if (-c > d[y][x]) continue;
        for (int k = 0; k < 4; k++)
            if (open(x, y, k) && d[y][x] + 1 < d[y + dy[k]][x + dx[k]]) {
                d[y + dy[k]][x + dx[k]] = d[y][x] + 1;
                q.push({-d[y][x] - 1, x + dx[k], y + dy[k]});
            }
    }
    if (d[sy][sx] == INT_MAX) {
        printf("NO PATH\n");
        return 0;
    }
    while (sx != tx || sy != ty)
        for (int k = 3; k >= 0; k--)
            if (open(sx, sy, k) && d[sy + dy[k]][sx + dx[k]] == d[sy][sx] - 1) {
                putchar("NESW"[k]);
                sx += dx[k];
                sy += dy[k];
                break;
            }
    printf("\n");
}
