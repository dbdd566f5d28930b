// no public class at all, and the one with main is not the first
class Pair { int a, b; }
class Addition {
    static String quoted = "public class Wrong { }";
    public static void main(String[] args) {
        java.util.Scanner in = new java.util.Scanner(System.in);
        Pair pair = new Pair();
        pair.a = in.nextInt();
        pair.b = in.nextInt();
        System.out.println(pair.a + pair.b);
    }
}
