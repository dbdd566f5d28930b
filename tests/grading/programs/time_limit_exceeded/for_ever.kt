fun main() { while (true) { } }
