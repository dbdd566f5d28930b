import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        List<String> rows = new ArrayList<>();
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) rows.add(line);
        String[] a = in.readLine().split(","), b = in.readLine().split(",");
        int er = Integer.parseInt(a[0]), ec = Integer.parseInt(a[1]);
        int gr = Integer.parseInt(b[0]), gc = Integer.parseInt(b[1]);
        int h = rows.size(), w = rows.get(0).length();
        int[] dr = {-1, 0, 1, 0}, dc = {0, 1, 0, -1};
        int[][] from = new int[h][w];
        for (int[] row : from) Arrays.fill(row, -1);
        ArrayDeque<int[]> queue = new ArrayDeque<>();
        queue.add(new int[] {er, ec});
        from[er][ec] = 4;
        while (!queue.isEmpty()) {
            int[] cur = queue.poll();
            int cell = Character.digit(rows.get(cur[0]).charAt(cur[1]), 16);
            for (int d = 0; d < 4; d++) {
                int r = cur[0] + dr[d], c = cur[1] + dc[d];
                if ((cell & (1 << d)) == 0 && from[r][c] == -1) {
                    from[r][c] = d;
                    queue.add(new int[] {r, c});
                }
            }
        }
        if (from[gr][gc] == -1) {
            System.out.println("NO PATH");
            return;
        }
        StringBuilder path = new StringBuilder();
        while (from[gr][gc] != 4) {
            int d = from[gr][gc];
            path.append("NESW".charAt(d));
            gr -= dr[d];
            gc -= dc[d];
        }
        System.out.println(path.reverse());
    }
}
