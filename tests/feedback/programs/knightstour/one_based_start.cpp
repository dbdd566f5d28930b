#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;
int n;
vector<vector<int>> board;
const int D[8][2] = {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}};
bool can(int r, int c) { return r >= 0 && c >= 0 && r < n && c < n && board[r][c] == 0; }
int onward(int r, int c) { int k = 0; for (auto& d : D) k += can(r + d[0], c + d[1]); return k; }
bool tour(int r, int c, int k) {
    board[r][c] = k;
    if (k == n * n) return true;
    vector<pair<int, pair<int, int>>> next;
    for (auto& d : D)
        if (can(r + d[0], c + d[1])) next.push_back({onward(r + d[0], c + d[1]), {r + d[0], c + d[1]}});
    sort(next.begin(), next.end());
    for (auto& p : next) if (tour(p.second.first, p.second.second, k + 1)) return true;
    board[r][c] = 0;
    return false;
}
int main() {
    int r, c;
    cin >> n >> r >> c;
    board.assign(n, vector<int>(n, 0));
    r %= n; c %= n;
    if ((n > 1 && n < 5) || (n % 2 && (r + c) % 2) || !tour(r, c, 1)) { cout << "NO TOUR\n"; return 0; }
    for (auto& row : board) { for (int x : row) cout << x << ' '; cout << '\n'; }
}
