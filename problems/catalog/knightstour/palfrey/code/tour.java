static boolean walk(int square, int number) {
    visit[square] = number;                  //: visit
    if (number == n * n)                     //: visit note
        return true;                         //: note
    List<Integer> onward = new ArrayList<>();    //: ways
    for (int other : jumps(square))          //: ways
        if (visit[other] == 0)               //: ways
            onward.add(other);               //: ways
    onward.sort(comparingInt(Tour::waysOn)); //: ways
    for (int other : onward)                 //: ways
        if (walk(other, number + 1))         //: visit
            return true;
    visit[square] = 0;                       //: back
    return false;                            //: back
}
