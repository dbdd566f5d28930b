#include <vector>
int main() { return std::vector<int>(3).at(5); }
