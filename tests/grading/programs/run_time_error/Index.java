public class Index {
    public static void main(String[] args) {
        int[] numbers = new int[2];
        System.out.println(numbers[2]);
    }
}
