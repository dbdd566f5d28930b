// Warnsdorff's rule alone: the first way with the fewest ways on is taken and never taken back.
#include <iostream>
using namespace std;

int n, board[64][64];
int dx[8] = {2, 1, -1, -2, -2, -1, 1, 2}, dy[8] = {1, 2, 2, 1, -1, -2, -2, -1};

bool ok(int x, int y) { return x >= 0 && y >= 0 && x < n && y < n && !board[x][y]; }

int main() {
    int x, y;
    cin >> n >> x >> y;
    x--, y--;
    board[x][y] = 1;
    for (int k = 2; k <= n * n; k++) {
        int best = -1, least = 9;
        for (int i = 0; i < 8; i++) {
            if (!ok(x + dx[i], y + dy[i])) continue;
            int ways = 0;
            for (int j = 0; j < 8; j++) ways += ok(x + dx[i] + dx[j], y + dy[i] + dy[j]);
            if (ways < least) least = ways, best = i;
        }
        if (best < 0) {
            cout << "NO TOUR\n";
            return 0;
        }
        x += dx[best], y += dy[best];
        board[x][y] = k;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) cout << board[i][j] << ' ';
        cout << '\n';
    }
}
