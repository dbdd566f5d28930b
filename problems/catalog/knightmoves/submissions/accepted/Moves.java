import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.Arrays;

/** One search from each square that is asked for, its distances kept for the lines that follow. */
class Moves {
    private static final int[][] STEPS = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    private static final int[][] KNOWN = new int[64][];

    static int[] distancesFrom(int start) {
        int[] distance = new int[64];
        Arrays.fill(distance, -1);
        distance[start] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(start);
        while (!queue.isEmpty()) {
            int square = queue.remove();
            for (int[] step : STEPS) {
                int column = square / 8 + step[0], row = square % 8 + step[1];
                if (column < 0 || column > 7 || row < 0 || row > 7 || distance[column * 8 + row] >= 0) continue;
                distance[column * 8 + row] = distance[square] + 1;
                queue.add(column * 8 + row);
            }
        }
        return distance;
    }

    static int square(String name) {
        return (name.charAt(0) - 'a') * 8 + name.charAt(1) - '1';
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] names = line.split(" ");
            int start = square(names[0]);
            if (KNOWN[start] == null) KNOWN[start] = distancesFrom(start);
            out.append("To get from ").append(names[0]).append(" to ").append(names[1]).append(" takes ");
            out.append(KNOWN[start][square(names[1])]).append(" knight moves.\n");
        }
        System.out.print(out);
    }
}
