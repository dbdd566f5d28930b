class Hog {
    public static void main(String[] args) {
        java.util.List<long[]> room = new java.util.ArrayList<>();
        while (true) room.add(new long[1 << 17]);
    }
}
