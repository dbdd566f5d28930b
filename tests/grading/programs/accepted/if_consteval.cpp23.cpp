#include <iostream>
constexpr int plus(int a, int b) { if consteval { return 0; } else { return a + b; } }
int main() { int a, b; std::cin >> a >> b; std::cout << plus(a, b) << "\n"; }
