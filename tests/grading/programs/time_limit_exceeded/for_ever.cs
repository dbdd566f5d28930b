class ForEver { static void Main() { while (true) { } } }
