class Hog {
    static void Main() {
        var room = new System.Collections.Generic.List<long[]>();
        while (true) room.Add(new long[1 << 17]);
    }
}
