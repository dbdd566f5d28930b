class WrongType {
    static void Main() {
        int a = "two";
    }
}
