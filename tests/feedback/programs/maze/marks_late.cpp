#include <iostream>
#include <queue>
#include <string>
#include <vector>
using namespace std;
int main() {
    vector<string> g;
    string line;
    while (getline(cin, line) && line.size()) g.push_back(line);
    int x, y, tx, ty;
    char c;
    cin >> x >> c >> y >> tx >> c >> ty;
    vector<vector<char>> seen(g.size(), vector<char>(g[0].size(), 0));
    queue<pair<pair<int, int>, string>> q;
    q.push({{x, y}, ""});
    while (!q.empty()) {
        auto cur = q.front();
        q.pop();
        int a = cur.first.first, b = cur.first.second;
        seen[b][a] = 1;
        if (a == tx && b == ty) { cout << cur.second << endl; return 0; }
        int cell = stoi(g[b].substr(a, 1), 0, 16);
        if (!(cell & 1) && !seen[b - 1][a]) q.push({{a, b - 1}, cur.second + "N"});
        if (!(cell & 2) && !seen[b][a + 1]) q.push({{a + 1, b}, cur.second + "E"});
        if (!(cell & 4) && !seen[b + 1][a]) q.push({{a, b + 1}, cur.second + "S"});
        if (!(cell & 8) && !seen[b][a - 1]) q.push({{a - 1, b}, cur.second + "W"});
    }
    cout << "NO PATH" << endl;
}
