import java.io.*;
import java.util.*;

class KnightMoves {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line = in.readLine();
        String next = in.readLine();
        while (next != null) {
            solve(line);
            line = next;
            next = in.readLine();
        }
    }

    static void solve(String line) {
        String[] words = line.split(" ");
        int from = number(words[0]), to = number(words[1]);
        int[] dist = new int[64];
        Arrays.fill(dist, 99);
        dist[from] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(from));
        while (!queue.isEmpty()) {
            int v = queue.remove();
            for (int u = 0; u < 64; u++) {
                int dx = Math.abs(u / 8 - v / 8), dy = Math.abs(u % 8 - v % 8);
                if (dx * dy == 2 && dist[u] == 99) {
                    dist[u] = dist[v] + 1;
                    queue.add(u);
                }
            }
        }
        System.out.println("To get from " + words[0] + " to " + words[1] + " takes " + dist[to] + " knight moves.");
    }

    static int number(String square) {
        return (square.charAt(0) - 'a') * 8 + square.charAt(1) - '1';
    }
}
