// Tries every sequence of up to six moves and keeps the shortest that ends on the target.
#include <cstdio>

static const int dc[8] = {1, 2, 2, 1, -1, -2, -2, -1};
static const int dr[8] = {2, 1, -1, -2, -2, -1, 1, 2};

static int best, target_column, target_row;

static void walk(int column, int row, int taken) {
    if (column == target_column && row == target_row && taken < best) best = taken;
    if (taken == 6) return;
    for (int k = 0; k < 8; k++) {
        int c = column + dc[k], r = row + dr[k];
        if (c >= 'a' && c <= 'h' && r >= '1' && r <= '8') walk(c, r, taken + 1);
    }
}

int main() {
    char a[3], b[3];
    while (scanf("%2s %2s", a, b) == 2) {
        best = 100;
        target_column = b[0];
        target_row = b[1];
        walk(a[0], a[1], 0);
        printf("To get from %s to %s takes %d knight moves.\n", a, b, best);
    }
}
