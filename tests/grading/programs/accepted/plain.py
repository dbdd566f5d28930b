import os

assert os.environ["ONLINE_JUDGE"]
queue = list(map(int, input().split()))
print(queue.pop(0) + queue.pop(0))
exit()
