class Loop { public static void main(String[] args) { long i = 0; while (true) i++; } }
