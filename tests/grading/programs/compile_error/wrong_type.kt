fun main() {
    val a: Int = "two"
}
