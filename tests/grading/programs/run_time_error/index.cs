class Index {
    static void Main() {
        var numbers = new int[2];
        System.Console.WriteLine(numbers[int.Parse("2")]);
    }
}
