import kotlin.concurrent.thread

fun main() {
    val sum = java.util.concurrent.atomic.AtomicInteger()
    (1..20).map { thread { sum.incrementAndGet() } }.forEach { it.join() }
    println(readLine()!!.split(" ").sumBy { it.toInt() } + sum.get() - 20)
}
