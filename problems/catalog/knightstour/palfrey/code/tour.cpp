bool walk(int square, int number) {
    visit[square] = number;                  //: visit
    if (number == n * n)                     //: visit note
        return true;                         //: note
    vector<int> onward;                      //: ways
    for (int other : jumps(square))          //: ways
        if (!visit[other])                   //: ways
            onward.push_back(other);         //: ways
    sort(onward.begin(), onward.end(), fewer_ways);  //: ways
    for (int other : onward)                 //: ways
        if (walk(other, number + 1))         //: visit
            return true;
    visit[square] = 0;                       //: back
    return false;                            //: back
}
