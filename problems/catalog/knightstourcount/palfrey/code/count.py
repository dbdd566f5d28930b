def walk(square, number):
    visited[square] = True                   #: visit jump
    tours = 0                                #: visit jump
    if number == n * n:                      #: visit jump
        tours = 1                            #: jump
    for other in jumps(square):              #: visit jump
        if not visited[other]:               #: visit jump
            tours += walk(other, number + 1) #: visit jump
    visited[square] = False                  #: back jump
    return tours                             #: back note
