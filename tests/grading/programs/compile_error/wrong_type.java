class Wrong { public static void main(String[] args) { int number = "five"; } }
