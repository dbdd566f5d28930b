#include <iostream>
#include <queue>
#include <string>
using namespace std;

int dist[8][8];
bool seen[8][8];
int mr[8] = {1, 1, -1, -1, 2, 2, -2, -2};
int mc[8] = {2, -2, 2, -2, 1, -1, 1, -1};

int main() {
    string a, b;
    while (cin >> a >> b) {
        queue<pair<int, int>> q;
        int r = a[1] - '1', c = a[0] - 'a', tr = b[1] - '1', tc = b[0] - 'a';
        q.push({r, c});
        seen[r][c] = true;
        dist[r][c] = 0;
        while (!q.empty()) {
            auto [x, y] = q.front();
            q.pop();
            if (x == tr && y == tc) break;
            for (int i = 0; i < 8; i++) {
                int nx = x + mr[i], ny = y + mc[i];
                if (nx < 0 || ny < 0 || nx > 7 || ny > 7 || seen[nx][ny]) continue;
                seen[nx][ny] = true;
                dist[nx][ny] = dist[x][y] + 1;
                q.push({nx, ny});
            }
        }
        cout << "To get from " << a << " to " << b << " takes " << dist[tr][tc] << " knight moves." << endl;
    }
}
