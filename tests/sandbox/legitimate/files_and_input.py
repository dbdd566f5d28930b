import os, sqlite3, tempfile
assert open("/dev/stdin").read() == "input\n" and open(0).read() == "input\n"
with tempfile.TemporaryFile() as f: f.write(b"x" * 1000)
with tempfile.NamedTemporaryFile() as f: assert f.name.startswith("/tmp/")
c = sqlite3.connect("data.db"); c.execute("create table t(a)"); c.execute("insert into t values (1)"); c.commit()
open("/dev/null", "w").write("x"); assert len(os.urandom(8)) == 8
open("/dev/stderr", "w").write("err"); open("/dev/stdout", "w").write("ok\n")
