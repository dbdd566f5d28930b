import asyncio
import collections
import heapq
import multiprocessing
import random
import sys

sys.setrecursionlimit(100000)


def depth(n):
    return n and depth(n - 1) + 1


async def plus():
    return sum(map(int, sys.stdin.read().split()))


print(asyncio.run(plus()) + depth(20000) - 20000)
