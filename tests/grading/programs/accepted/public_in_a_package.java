package br.edu.aula;

import java.util.*;

/* public class Old */
interface Sum { int of(int a, int b); }

public class SomaÇão {
    enum Kind { ONE }
    public static void main(String... args) {
        Scanner in = new Scanner(System.in);
        Sum sum = (a, b) -> a + b;
        System.out.println(sum.of(in.nextInt(), in.nextInt()));
    }
}
