import sys
sys.setrecursionlimit(1 << 20)
def depth(n): return 0 if n == 0 else depth(n - 1) + 1
print(sum(map(int, input().split())) + depth(100000) - 100000)
