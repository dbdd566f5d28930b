#include "plus.h"
#include <iostream>
int main() { int a, b; std::cin >> a >> b; std::cout << plus(a, b) << "\n"; }
