void walk(int square) {
    visited[square] = true;                  //: visit jump
    way.push_back(square);                   //: visit jump
    if ((int)way.size() == n * n)            //: visit jump
        print_tour(way);                     //: jump
    for (int other : jumps(square))          //: visit jump
        if (!visited[other])                 //: visit jump
            walk(other);                     //: visit jump
    way.pop_back();                          //: back jump
    visited[square] = false;                 //: back jump
}
