"""A right solution; generators.yaml says that this one makes the answers."""

n = int(input())
print(max(int(input()) for _ in range(n)))
