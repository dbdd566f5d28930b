// One-way breadth-first search, once for each line.
#include <array>
#include <iostream>
#include <queue>
#include <string>

using namespace std;

const array<pair<int, int>, 8> moves{{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

int distance_between(const string& from, const string& to) {
    array<array<int, 8>, 8> dist;
    for (auto& column : dist) column.fill(-1);
    queue<pair<int, int>> waiting;
    waiting.push({from[0] - 'a', from[1] - '1'});
    dist[from[0] - 'a'][from[1] - '1'] = 0;
    while (dist[to[0] - 'a'][to[1] - '1'] < 0) {
        auto [column, row] = waiting.front();
        waiting.pop();
        for (auto [dc, dr] : moves) {
            int c = column + dc, r = row + dr;
            if (c < 0 || c > 7 || r < 0 || r > 7 || dist[c][r] >= 0) continue;
            dist[c][r] = dist[column][row] + 1;
            waiting.push({c, r});
        }
    }
    return dist[to[0] - 'a'][to[1] - '1'];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    string from, to;
    while (cin >> from >> to)
        cout << "To get from " << from << " to " << to << " takes " << distance_between(from, to) << " knight moves.\n";
}
