#include <iostream>
int depth(int n) { volatile char room[64]; room[0] = 1; return n == 0 ? 0 : depth(n - 1) + room[0]; }
int main() { int a, b; std::cin >> a >> b; std::cout << a + b + depth(500000) - 500000 << "\n"; }
