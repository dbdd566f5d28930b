import mmap
m = mmap.mmap(-1, 1 << 30)
for at in range(0, 1 << 30, 4096):
    m[at] = 1
