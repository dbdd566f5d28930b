// Prints column and row where row and column are asked for.
#include <iostream>
#include <string>
#include <utility>
#include <vector>

const int ROW[8] = {-2, -1, 1, 2, 2, 1, -1, -2};
const int COLUMN[8] = {1, 2, 2, 1, -1, -2, -2, -1};

int n, tours;
bool visited[6][6];
std::vector<std::pair<int, int>> walk;

void print() {
    std::cout << "Solution " << ++tours << ":\n";
    for (std::size_t i = 0; i < walk.size(); i++)
        std::cout << (i > 0 ? " " : "") << walk[i].second << '-' << walk[i].first;
    std::cout << "\n\n";
}

void visit(int r, int c) {
    visited[r][c] = true;
    walk.push_back({r, c});
    if (walk.size() == std::size_t(n) * n) {
        print();
    } else {
        for (int m = 0; m < 8; m++) {
            int a = r + ROW[m], b = c + COLUMN[m];
            if (a >= 1 && a <= n && b >= 1 && b <= n && !visited[a][b]) visit(a, b);
        }
    }
    walk.pop_back();
    visited[r][c] = false;
}

int main() {
    int row, column;
    std::cin >> n >> row >> column;
    visit(row, column);
}
