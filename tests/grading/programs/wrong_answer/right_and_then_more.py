print(sum(map(int, input().split())), "and more")
