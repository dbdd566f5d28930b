import java.util.Arrays;
import java.util.Scanner;

/** Warnsdorff's rule; when it runs into a dead end, a new try with ties broken at random, and so on. */
class Tour {
    static final int[] ROW = {-2, -1, 1, 2, 2, 1, -1, -2};
    static final int[] COLUMN = {1, 2, 2, 1, -1, -2, -2, -1};

    final int n;
    final int[][] visit;
    final java.util.Random random = new java.util.Random(1);

    Tour(int n) {
        this.n = n;
        visit = new int[n][n];
    }

    boolean free(int r, int c) {
        return r >= 0 && r < n && c >= 0 && c < n && visit[r][c] == 0;
    }

    int ways(int r, int c) {
        int ways = 0;
        for (int m = 0; m < 8; m++) if (free(r + ROW[m], c + COLUMN[m])) ways++;
        return ways;
    }

    boolean walk(int r, int c) {
        for (int[] line : visit) Arrays.fill(line, 0);
        visit[r][c] = 1;
        for (int number = 2; number <= n * n; number++) {
            int best = -1, fewest = 9, equals = 0;
            for (int m = 0; m < 8; m++) {
                int a = r + ROW[m], b = c + COLUMN[m];
                if (!free(a, b)) continue;
                int ways = ways(a, b);
                if (ways < fewest) {
                    fewest = ways;
                    best = m;
                    equals = 1;
                } else if (ways == fewest && random.nextInt(++equals) == 0) {
                    best = m;
                }
            }
            if (best < 0) return false;
            r += ROW[best];
            c += COLUMN[best];
            visit[r][c] = number;
        }
        return true;
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), r = in.nextInt(), c = in.nextInt();
        if (n >= 2 && n <= 4 || n % 2 == 1 && (r + c) % 2 == 1) {
            System.out.println("NO TOUR");
            return;
        }
        Tour tour = new Tour(n);
        while (!tour.walk(r - 1, c - 1)) {
        }
        StringBuilder out = new StringBuilder();
        for (int[] line : tour.visit) {
            for (int number : line) out.append(number).append(' ');
            out.append('\n');
        }
        System.out.print(out);
    }
}
