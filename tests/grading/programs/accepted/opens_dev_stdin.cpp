#include <fstream>
#include <iostream>
int main() { std::ifstream in("/dev/stdin"); int a, b; in >> a >> b; std::cout << a + b << "\n"; }
