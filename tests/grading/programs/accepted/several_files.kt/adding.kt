package adding

fun all(line: String) = line.split(" ").sumBy { it.toInt() }
