int moves(int start, int goal) {
    vector<int> dist(64, -1);                //: start
    queue<int> waiting;                      //: start
    dist[start] = 0;                         //: start
    waiting.push(start);                     //: start
    while (!waiting.empty()) {
        int square = waiting.front();        //: take
        waiting.pop();                       //: take
        if (square == goal)                  //: take path
            return dist[square];             //: path
        for (int other : jumps(square))      //: look
            if (dist[other] < 0) {           //: look
                dist[other] = dist[square] + 1;  //: look
                waiting.push(other);         //: look
            }
    }
    return -1;
}
