import sys

for _ in range(3000):
    sys.stderr.write("x" * 1023 + "\n")
print(sum(map(int, input().split())))
