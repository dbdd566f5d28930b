import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int[] dr = {-2, -2, -1, -1, 1, 1, 2, 2};
        int[] dc = {-1, 1, -2, 2, -2, 2, -1, 1};
        while (in.hasNext()) {
            String a = in.next(), b = in.next();
            int[][] dist = new int[8][8];
            for (int[] row : dist) Arrays.fill(row, -1);
            Queue<int[]> queue = new LinkedList<>();
            int[] start = {a.charAt(1) - '1', a.charAt(0) - 'a'};
            dist[start[0]][start[1]] = 0;
            queue.add(start);
            while (!queue.isEmpty()) {
                int[] cur = queue.poll();
                for (int i = 0; i < 8; i++) {
                    int r = cur[0] + dr[i], c = cur[1] + dc[i];
                    if (r >= 0 && c >= 0 && r < 8 && c < 8 && dist[r][c] == -1) {
                        dist[r][c] = dist[cur[0]][cur[1]] + 1;
                        queue.add(new int[] {r, c});
                    }
                }
            }
            int n = dist[b.charAt(1) - '1'][b.charAt(0) - 'a'];
            System.out.println("To get from " + a + " to " + b + " takes " + n + (n == 1 ? " knight move." : " knight moves."));
        }
    }
}
