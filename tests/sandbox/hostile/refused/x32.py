import ctypes

ctypes.CDLL(None).syscall(0x40000000 + 39)
