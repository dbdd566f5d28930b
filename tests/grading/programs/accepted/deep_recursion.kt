fun depth(n: Int): Int = if (n == 0) 0 else depth(n - 1) + 1

fun main() = println(readLine()!!.split(" ").sumBy { it.toInt() } + depth(200000) - 200000)
