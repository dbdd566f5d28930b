// The distances between all pairs of squares by Floyd and Warshall, and all of it again for every line.
#include <cstdlib>
#include <iostream>
#include <string>

static int dist[64][64];

static void all_pairs() {
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++) {
            int columns = std::abs(a / 8 - b / 8), rows = std::abs(a % 8 - b % 8);
            dist[a][b] = a == b ? 0 : columns * rows == 2 ? 1 : 1000;
        }
    for (int by = 0; by < 64; by++)
        for (int a = 0; a < 64; a++)
            for (int b = 0; b < 64; b++)
                if (dist[a][by] + dist[by][b] < dist[a][b]) dist[a][b] = dist[a][by] + dist[by][b];
}

int main() {
    std::string a, b;
    while (std::cin >> a >> b) {
        all_pairs();
        std::cout << "To get from " << a << " to " << b << " takes "
                  << dist[(a[0] - 'a') * 8 + a[1] - '1'][(b[0] - 'a') * 8 + b[1] - '1'] << " knight moves.\n";
    }
}
