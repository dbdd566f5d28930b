from collections import deque

def shortest(entry, goal):
    parent = {entry: None}                   #: start
    queue = deque([entry])                   #: start
    while queue:
        cell = queue.popleft()               #: take
        if cell == goal:                     #: take
            break
        for other in open_sides(cell):       #: look
            if other not in parent:          #: look
                parent[other] = cell         #: look
                queue.append(other)          #: look
    if goal not in parent:                   #: no-path
        return "NO PATH"                     #: no-path
    path = []                                #: retrace
    while goal != entry:                     #: retrace
        path.append(letter(parent[goal], goal))  #: retrace
        goal = parent[goal]                  #: retrace
    return "".join(reversed(path))           #: path
