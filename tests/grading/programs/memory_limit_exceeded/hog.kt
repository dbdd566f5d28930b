fun main() {
    val room = mutableListOf<LongArray>()
    while (true) room.add(LongArray(1 shl 17))
}
