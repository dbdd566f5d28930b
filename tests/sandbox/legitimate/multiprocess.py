import multiprocessing as m
from multiprocessing import shared_memory
def square(x): return x * x
if __name__ == "__main__":
    with m.Pool(2) as pool:
        assert pool.map(square, range(5)) == [0, 1, 4, 9, 16]
    q, lock, e = m.Queue(), m.Lock(), m.Event()
    p = m.Process(target=lambda: (q.put(1), e.set())); p.start(); assert q.get() == 1 and e.wait(5); p.join()
    s = shared_memory.SharedMemory(create=True, size=100); s.buf[0] = 7; s.close(); s.unlink()
    with lock: print("ok")
