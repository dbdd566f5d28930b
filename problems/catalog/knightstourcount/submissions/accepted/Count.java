import java.util.Scanner;

/** Backtracking with the numbers of free neighbours kept up to date; a square that is cut off ends the walk. */
public class Count {
    static int n, squares;
    static int[][] near;
    static int[] ways;
    static boolean[] visited;

    /** Walks that go on from a square; `ends` squares, passed by, have a single way in already. */
    static long count(int square, int number, int ends) {
        visited[square] = true;
        long tours = 0;
        if (number == squares) {
            tours = 1;
        } else {
            int tight = 0, alone = 0;
            for (int other : near[square]) {
                if (visited[other]) continue;
                if (--ways[other] == 1) tight++;
                if (ways[other] == 0) alone++;
            }
            // Alone: this square is its last neighbour, so the knight goes there now, and only as its last move.
            if (alone == 0 || number == squares - 1) {
                for (int other : near[square]) {
                    if (visited[other]) continue;
                    int left = ends + tight - (ways[other] == 1 ? 1 : 0);
                    if (left <= 1) tours += count(other, number + 1, left);
                }
            }
            for (int other : near[square]) if (!visited[other]) ways[other]++;
        }
        visited[square] = false;
        return tours;
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        n = in.nextInt();
        int row = in.nextInt() - 1, column = in.nextInt() - 1;
        squares = n * n;
        near = new int[squares][];
        ways = new int[squares];
        visited = new boolean[squares];
        for (int s = 0; s < squares; s++) {
            int[] found = new int[8];
            int count = 0;
            for (int t = 0; t < squares; t++) {
                int down = t / n - s / n, right = t % n - s % n;
                if (down * down + right * right == 5) found[count++] = t;
            }
            near[s] = java.util.Arrays.copyOf(found, count);
            ways[s] = count;
        }
        System.out.println(count(row * n + column, 1, 0));
    }
}
