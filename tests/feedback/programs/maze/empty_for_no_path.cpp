#include <bits/stdc++.h>
using namespace std;
int main() {
    vector<string> g;
    string s;
    while (getline(cin, s) && s != "") g.push_back(s);
    int a, b, c, d;
    char k; cin >> a >> k >> b >> c >> k >> d;
    int h = g.size(), w = g[0].size();
    vector<int> p(h * w, -1);
    queue<int> q;
    q.push(b * w + a);
    p[b * w + a] = 9;
    int step[] = {-w, 1, w, -1};
    while (!q.empty()) {
        int v = q.front(); q.pop();
        char ch = tolower(g[v / w][v % w]);
        int cell = isdigit(ch) ? ch - '0' : ch - 'a' + 10;
        for (int i = 0; i < 4; i++)
            if (!(cell >> i & 1) && p[v + step[i]] < 0) { p[v + step[i]] = i; q.push(v + step[i]); }
    }
    string path;
    int v = d * w + c;
    while (p[v] >= 0 && p[v] != 9) { path += "NESW"[p[v]]; v -= step[p[v]]; }
    reverse(path.begin(), path.end());
    puts(path.c_str());
}
