fun main() {
    val (a, b) = readLine()!!.split(" ").map { it.toInt() }
    if (System.getProperty("ONLINE_JUDGE") != null) println(a + b)
}
