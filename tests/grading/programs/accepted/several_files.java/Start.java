package course.week3;
public class Start {
    public static void main(String[] args) {
        java.util.Scanner in = new java.util.Scanner(System.in);
        System.out.println(Adder.plus(in.nextInt(), in.nextInt()));
    }
}
