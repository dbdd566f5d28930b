"""By ctypes a Python program reaches the same calls as one in C."""
import ctypes, sys

libc = ctypes.CDLL(None, use_errno=True)
calls = {"ptrace": (101, 16, 1), "unshare": (272, 0x10000000), "mount": (165, b"none", b"/tmp", b"tmpfs"), "bpf": (321, 0, 0, 0),
         "io_uring_setup": (425, 4, bytes(120)), "userfaultfd": (323, 1), "socket": (41, 2, 1), "keyctl": (250, 0, -3, 1),
         "process_vm_readv": (310, 1, 0, 0, 0, 0, 0), "perf_event_open": (298, bytes(112), 0, -1, -1), "memfd_secret": (447, 0),
         "kill": (62, 1, 9), "setuid": (105, 0), "shmget": (29, 7, 4096, 0o1666)}
through = [name for name, words in calls.items() if libc.syscall(*words) != -1 or ctypes.get_errno() not in (1, 13)]
print("breach:", through) if through else None
sys.exit(bool(through))
