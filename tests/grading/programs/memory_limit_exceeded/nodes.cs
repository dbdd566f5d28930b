class Node {
    Node next;
    static void Main() {
        Node first = null;
        while (true) first = new Node { next = first };
    }
}
