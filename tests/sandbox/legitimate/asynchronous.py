import asyncio, concurrent.futures, subprocess, sys, threading, time
async def main():
    p = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(5)", stdout=subprocess.PIPE)
    assert (await p.communicate())[0] == b"5\n"
    await asyncio.gather(*(asyncio.sleep(0.01) for _ in range(10)))
    assert await asyncio.to_thread(lambda: 3) == 3
asyncio.run(main())
with concurrent.futures.ThreadPoolExecutor(8) as pool: assert sum(pool.map(int, "123")) == 6
assert subprocess.run([sys.executable, sys.argv[0], "again"] if len(sys.argv) < 2 else ["true"]).returncode == 0
print("ok") if len(sys.argv) < 2 else None
