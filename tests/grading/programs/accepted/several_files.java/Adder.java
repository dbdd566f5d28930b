package course.week3;
public final class Adder { static int plus(int a, int b) { return a + b; } }
