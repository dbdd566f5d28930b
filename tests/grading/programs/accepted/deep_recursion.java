public class Main {
    static int depth(int n) { return n == 0 ? 0 : depth(n - 1) + 1; }
    public static void main(String[] args) {
        java.util.Scanner in = new java.util.Scanner(System.in);
        System.out.println(in.nextInt() + in.nextInt() + depth(200000) - 200000);
    }
}
