#include <bits/stdc++.h>
using namespace std;
int main() {
    auto [a, b] = [] { int x, y; cin >> x >> y; return pair{x, y}; }();
    cout << a + b << endl;
}
