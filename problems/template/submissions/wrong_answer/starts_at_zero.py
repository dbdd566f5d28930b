"""A typical mistake, which at least one case must give away: here the one where all numbers are negative."""

n = int(input())
largest = 0
for _ in range(n):
    largest = max(largest, int(input()))
print(largest)
