def walk(square):
    visited[square] = True                   #: visit jump
    way.append(square)                       #: visit jump
    if len(way) == n * n:                    #: visit jump
        print_tour(way)                      #: jump
    for other in jumps(square):              #: visit jump
        if not visited[other]:               #: visit jump
            walk(other)                      #: visit jump
    way.pop()                                #: back jump
    visited[square] = False                  #: back jump
