static int moves(int start, int goal) {
    int[] dist = new int[64];                //: start
    Arrays.fill(dist, -1);                   //: start
    Queue<Integer> queue = new ArrayDeque<>();   //: start
    dist[start] = 0;                         //: start
    queue.add(start);                        //: start
    while (!queue.isEmpty()) {
        int square = queue.remove();         //: take
        if (square == goal)                  //: take path
            return dist[square];             //: path
        for (int other : jumps(square))      //: look
            if (dist[other] < 0) {           //: look
                dist[other] = dist[square] + 1;  //: look
                queue.add(other);            //: look
            }
    }
    return -1;
}
