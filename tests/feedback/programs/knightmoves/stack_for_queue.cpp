#include <cstdio>
#include <cstring>
#include <stack>
using namespace std;

int d[9][9];

int main() {
    char a[5], b[5];
    while (scanf("%s %s", a, b) == 2) {
        memset(d, -1, sizeof d);
        stack<int> s;
        int from = (a[0] - 'a') * 8 + a[1] - '1', to = (b[0] - 'a') * 8 + b[1] - '1';
        s.push(from);
        d[from / 8][from % 8] = 0;
        while (!s.empty()) {
            int v = s.top();
            s.pop();
            for (int i = -2; i <= 2; i++)
                for (int j = -2; j <= 2; j++) {
                    if (i * i + j * j != 5) continue;
                    int x = v / 8 + i, y = v % 8 + j;
                    if (x < 0 || x > 7 || y < 0 || y > 7 || d[x][y] >= 0) continue;
                    d[x][y] = d[v / 8][v % 8] + 1;
                    s.push(x * 8 + y);
                }
        }
        printf("To get from %s to %s takes %d knight moves.\n", a, b, d[to / 8][to % 8]);
    }
    return 0;
}
