fun main() {
    val numbers = IntArray(2)
    println(numbers["2".toInt()])
}
