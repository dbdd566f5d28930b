from adding import plus

print(plus(*map(int, input().split())))
