static void walk(int square) {
    visited[square] = true;                  //: visit jump
    way.addLast(square);                     //: visit jump
    if (way.size() == n * n)                 //: visit jump
        printTour(way);                      //: jump
    for (int other : jumps(square))          //: visit jump
        if (!visited[other])                 //: visit jump
            walk(other);                     //: visit jump
    way.removeLast();                        //: back jump
    visited[square] = false;                 //: back jump
}
