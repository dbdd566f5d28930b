import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
public class Threads {
    public static void main(String[] a) throws Exception {
        ExecutorService e = Executors.newFixedThreadPool(8);
        Future<Integer> f = e.submit(() -> 7);
        long sum = IntStream.range(0, 1000).parallel().sum();
        String line = new Scanner(System.in).nextLine();
        java.nio.file.Path t = java.nio.file.Files.createTempFile("a", "b");
        if (f.get() == 7 && sum == 499500 && line.equals("input")) System.out.println("ok");
        e.shutdown();
    }
}
