long long walk(int square, int number) {
    visited[square] = true;                  //: visit jump
    long long tours = number == n * n;       //: visit jump
    for (int other : jumps(square))          //: visit jump
        if (!visited[other])                 //: visit jump
            tours += walk(other, number + 1);    //: visit jump
    visited[square] = false;                 //: back jump
    return tours;                            //: back note
}
