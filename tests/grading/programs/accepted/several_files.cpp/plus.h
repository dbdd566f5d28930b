int plus(int a, int b);
