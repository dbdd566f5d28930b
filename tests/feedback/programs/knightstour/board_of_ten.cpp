#include <cstdio>
#include <algorithm>
using namespace std;
int n, board[10][10];
int dr[] = {-2, -1, 1, 2, 2, 1, -1, -2}, dc[] = {1, 2, 2, 1, -1, -2, -2, -1};
int count(int r, int c) {
    int k = 0;
    for (int i = 0; i < 8; i++) {
        int x = r + dr[i], y = c + dc[i];
        if (x >= 0 && x < n && y >= 0 && y < n && !board[x][y]) k++;
    }
    return k;
}
bool solve(int r, int c, int k) {
    board[r][c] = k;
    if (k == n * n) return true;
    pair<int, int> cand[8];
    int m = 0;
    for (int i = 0; i < 8; i++) {
        int x = r + dr[i], y = c + dc[i];
        if (x >= 0 && x < n && y >= 0 && y < n && !board[x][y]) cand[m++] = {count(x, y), i};
    }
    sort(cand, cand + m);
    for (int i = 0; i < m; i++)
        if (solve(r + dr[cand[i].second], c + dc[cand[i].second], k + 1)) return true;
    board[r][c] = 0;
    return false;
}
int main() {
    int r, c;
    scanf("%d %d %d", &n, &r, &c);
    bool possible = n == 1 || (n > 4 && (n % 2 == 0 || (r + c) % 2 == 0));
    if (!possible || !solve(r - 1, c - 1, 1)) { printf("NO TOUR\n"); return 0; }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) printf("%4d", board[i][j]);
        printf("\n");
    }
}
