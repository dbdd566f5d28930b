def walk(square, number):
    visit[square] = number                   #: visit
    if number == n * n:                      #: visit note
        return True                          #: note
    onward = [other for other in jumps(square)   #: ways
              if not visit[other]]           #: ways
    onward.sort(key=ways_on)                 #: ways
    for other in onward:                     #: ways
        if walk(other, number + 1):          #: visit
            return True
    visit[square] = 0                        #: back
    return False                             #: back
