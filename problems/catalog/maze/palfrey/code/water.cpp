string shortest(int entry, int goal) {
    vector<int> parent(cells, -1);           //: start
    queue<int> waiting;                      //: start
    parent[entry] = entry;                   //: start
    waiting.push(entry);                     //: start
    while (!waiting.empty()) {
        int cell = waiting.front();          //: take
        waiting.pop();                       //: take
        if (cell == goal) break;             //: take
        for (int other : open_sides(cell))   //: look
            if (parent[other] < 0) {         //: look
                parent[other] = cell;        //: look
                waiting.push(other);         //: look
            }
    }
    if (parent[goal] < 0) return "NO PATH";  //: no-path
    string path;                             //: retrace
    for (int cell = goal; cell != entry; cell = parent[cell])  //: retrace
        path += letter(parent[cell], cell);  //: retrace
    return string(path.rbegin(), path.rend());   //: path
}
