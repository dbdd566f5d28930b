import sys
assert hasattr(sys, "pypy_version_info")
a, b = map(int, input().split())
print(a - b)
