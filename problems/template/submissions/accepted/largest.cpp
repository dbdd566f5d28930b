// A second right solution, in another language and best by another idea: both must agree in every case.
#include <algorithm>
#include <iostream>

int main() {
    int n;
    long long largest;
    std::cin >> n >> largest;
    for (int i = 1; i < n; i++) {
        long long number;
        std::cin >> number;
        largest = std::max(largest, number);
    }
    std::cout << largest << "\n";
}
