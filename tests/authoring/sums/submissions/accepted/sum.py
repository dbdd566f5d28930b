"""The model solution: the answers of the cases are what it prints."""

a, b = map(int, input().split())
print(a + b)
