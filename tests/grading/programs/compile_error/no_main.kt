fun plus(a: Int, b: Int) = a + b
