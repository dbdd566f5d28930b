#include <concepts>
#include <iostream>
template <std::integral T> T plus(T a, T b) { return a + b; }
int main() { int a, b; std::cin >> a >> b; std::cout << plus(a, b) << "\n"; }
