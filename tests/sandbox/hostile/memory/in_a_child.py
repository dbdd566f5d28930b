"""The child is killed; the first process has printed an answer and ends well."""
import os
if os.fork() == 0:
    a = []
    while True:
        a.append(bytearray(1 << 20))
os.wait()
print(42)
