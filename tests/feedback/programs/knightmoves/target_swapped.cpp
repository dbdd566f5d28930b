#include <bits/stdc++.h>
using namespace std;

int main() {
    string s, t;
    while (cin >> s >> t) {
        int sr = s[1] - '1', sc = s[0] - 'a';
        int tr = t[0] - 'a', tc = t[1] - '1';
        vector<vector<int>> dist(8, vector<int>(8, -1));
        queue<array<int, 2>> q;
        q.push({sr, sc});
        dist[sr][sc] = 0;
        while (q.size()) {
            auto [r, c] = q.front(); q.pop();
            for (auto [a, b] : vector<array<int, 2>>{{1,2},{2,1},{-1,2},{-2,1},{1,-2},{2,-1},{-1,-2},{-2,-1}}) {
                int x = r + a, y = c + b;
                if (x < 0 || y < 0 || x >= 8 || y >= 8 || dist[x][y] != -1) continue;
                dist[x][y] = dist[r][c] + 1;
                q.push({x, y});
            }
        }
        printf("To get from %s to %s takes %d knight moves.\n", s.c_str(), t.c_str(), dist[tr][tc]);
    }
}
