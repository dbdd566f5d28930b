import socket, sys, time
start = time.monotonic()
for what in (lambda: socket.create_connection(("127.0.0.1", 6379), 5), lambda: socket.getaddrinfo("example.org", 80),
             lambda: socket.create_connection(("1.1.1.1", 53), 5), lambda: socket.socket(socket.AF_UNIX).connect("\0x")):
    try:
        what()
    except OSError:
        continue
    print("breach"); sys.exit(1)
sys.exit(time.monotonic() - start > 1.5)
