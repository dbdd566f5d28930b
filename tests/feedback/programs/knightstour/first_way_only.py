n, r, c = map(int, input().split())
moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
board = [[0] * n for _ in range(n)]
r -= 1
c -= 1
board[r][c] = 1
step = 1
moved = True
while moved:
    moved = False
    for dr, dc in moves:
        a, b = r + dr, c + dc
        if 0 <= a < n and 0 <= b < n and board[a][b] == 0:
            step += 1
            board[a][b] = step
            r, c = a, b
            moved = True
            break
if step == n * n:
    for row in board:
        print(*row)
else:
    print("NO TOUR")
