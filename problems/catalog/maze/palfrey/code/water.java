static String shortest(int entry, int goal) {
    int[] parent = new int[cells];           //: start
    Arrays.fill(parent, -1);                 //: start
    Queue<Integer> queue = new ArrayDeque<>();   //: start
    parent[entry] = entry;                   //: start
    queue.add(entry);                        //: start
    while (!queue.isEmpty()) {
        int cell = queue.remove();           //: take
        if (cell == goal) break;             //: take
        for (int other : openSides(cell))    //: look
            if (parent[other] < 0) {         //: look
                parent[other] = cell;        //: look
                queue.add(other);            //: look
            }
    }
    if (parent[goal] < 0) return "NO PATH";  //: no-path
    StringBuilder path = new StringBuilder();    //: retrace
    for (int cell = goal; cell != entry; cell = parent[cell])  //: retrace
        path.append(letter(parent[cell], cell));     //: retrace
    return path.reverse().toString();        //: path
}
