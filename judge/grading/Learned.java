import java.io.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Uses much of the language, so that javac loads what it needs for most programs; see `languages.py`. Never run. */
public class Learned {
    enum Colour { WHITE, BLACK }

    interface Shape { double area(); }

    static abstract class Base<T extends Comparable<T>> implements Shape {
        protected final T[] all;

        @SafeVarargs
        Base(T... all) { this.all = all; }

        T best() {
            T best = all[0];
            for (T one : all) if (one.compareTo(best) > 0) best = one;
            return best;
        }
    }

    static class Square extends Base<Integer> {
        Square(int... sides) { super(Arrays.stream(sides).boxed().toArray(Integer[]::new)); }

        @Override
        public double area() { return Math.pow(best(), 2); }
    }

    static int depth(int n) throws IOException {
        if (n < 0) throw new IOException("less than " + n);
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    public static void main(String[] arguments) {
        Scanner numbers = new Scanner("1 2 3");
        Map<String, List<Integer>> seen = new HashMap<>();
        long total = 0;
        char letter = 'a';
        int[][] board = new int[8][8];
        while (numbers.hasNextInt()) seen.computeIfAbsent("x" + letter++, k -> new ArrayList<>()).add(numbers.nextInt());
        Deque<int[]> queue = new ArrayDeque<>();
        PriorityQueue<int[]> heap = new PriorityQueue<>((a, b) -> Integer.compare(a[0], b[0]));
        queue.add(new int[] {0, 1});
        heap.add(queue.peek());
        for (int i = 0; i < 8; i++) {
            board[i][i] += i << 1;
            total ^= board[i][7 - i] | 3L;
            if (total > 100) break; else continue;
        }
        for (Map.Entry<String, List<Integer>> one : seen.entrySet()) {
            switch (one.getKey()) { case "xa": total += 1; break; default: total--; }
            switch (Colour.values()[one.getValue().size() % 2]) { case WHITE: total++; break; case BLACK: break; }
        }
        try (BufferedReader in = new BufferedReader(new StringReader("4 5"))) {
            StringTokenizer words = new StringTokenizer(in.readLine());
            do { total += Long.parseLong(words.nextToken()); } while (words.hasMoreTokens());
            depth(3);
        } catch (IOException | NumberFormatException error) {
            throw new RuntimeException(error);
        } finally {
            letter = 0;
        }
        Function<Integer, Integer> twice = x -> 2 * x;
        Supplier<Shape> shape = () -> new Square(1, 2);
        Runnable none = new Runnable() { public void run() { } };
        String joined = IntStream.range(0, 5).mapToObj(Integer::toString).collect(Collectors.joining(","));
        synchronized (seen) {
            none.run();
            assert total != 0 : joined;
        }
        StringBuilder text = new StringBuilder();
        text.append(twice.apply(3)).append(shape.get().area()).append((Object) joined instanceof String);
        System.out.printf("%d %s%n", total, text);
    }
}
