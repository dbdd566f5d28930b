import java.util.*;

public class Main {
    static int n;
    static int[][] board;
    static int[][] moves = {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};

    static int degree(int r, int c) {
        int count = 0;
        for (int[] m : moves) if (inside(r + m[0], c + m[1]) && board[r + m[0]][c + m[1]] == 0) count++;
        return count;
    }

    static boolean inside(int r, int c) {
        return r >= 0 && c >= 0 && r < n && c < n;
    }

    static boolean solve(int r, int c, int k) {
        board[r][c] = k;
        if (k == n * n) return true;
        List<int[]> next = new ArrayList<>();
        for (int[] m : moves)
            if (inside(r + m[0], c + m[1]) && board[r + m[0]][c + m[1]] == 0) next.add(new int[] {r + m[0], c + m[1]});
        next.sort(Comparator.comparingInt(p -> degree(p[0], p[1])));
        for (int[] p : next) if (solve(p[0], p[1], k + 1)) return true;
        board[r][c] = 0;
        return false;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        n = in.nextInt();
        int column = in.nextInt() - 1, row = in.nextInt() - 1;
        board = new int[n][n];
        if (n > 1 && n < 5 || n % 2 == 1 && (row + column) % 2 == 1 || !solve(row, column, 1)) {
            System.out.println("NO TOUR");
            return;
        }
        StringBuilder out = new StringBuilder();
        for (int[] line : board) {
            for (int x : line) out.append(x).append(' ');
            out.append('\n');
        }
        System.out.print(out);
    }
}
