package start

fun main() = println(adding.all(readLine()!!))
