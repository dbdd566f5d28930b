from collections import deque

def moves(start, goal):
    distance = {start: 0}                    #: start
    queue = deque([start])                   #: start
    while queue:
        square = queue.popleft()             #: take
        if square == goal:                   #: take path
            return distance[square]          #: path
        for other in jumps(square):          #: look
            if other not in distance:        #: look
                distance[other] = distance[square] + 1   #: look
                queue.append(other)          #: look
