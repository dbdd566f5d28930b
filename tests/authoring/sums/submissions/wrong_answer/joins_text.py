"""Forgets to add, and prints both one after the other."""

a, b = input().split()
print(a + b)
