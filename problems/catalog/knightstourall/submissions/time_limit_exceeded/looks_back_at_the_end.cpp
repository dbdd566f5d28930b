// Lets the knight walk anywhere, over visited squares too, and looks at the end whether no square came twice.
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

const int ROW[8] = {-2, -1, 1, 2, 2, 1, -1, -2};
const int COLUMN[8] = {1, 2, 2, 1, -1, -2, -2, -1};

int n, tours;
std::vector<std::pair<int, int>> walk;

void print() {
    if (std::set<std::pair<int, int>>(walk.begin(), walk.end()).size() != walk.size()) return;
    std::cout << "Solution " << ++tours << ":\n";
    for (std::size_t i = 0; i < walk.size(); i++)
        std::cout << (i > 0 ? " " : "") << walk[i].first << '-' << walk[i].second;
    std::cout << "\n\n";
}

void visit(int r, int c) {
    walk.push_back({r, c});
    if (walk.size() == std::size_t(n) * n) {
        print();
    } else {
        for (int m = 0; m < 8; m++) {
            int a = r + ROW[m], b = c + COLUMN[m];
            if (a >= 1 && a <= n && b >= 1 && b <= n) visit(a, b);
        }
    }
    walk.pop_back();
}

int main() {
    int row, column;
    std::cin >> n >> row >> column;
    visit(row, column);
}
