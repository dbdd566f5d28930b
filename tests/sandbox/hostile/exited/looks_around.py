import glob, os, sys
seen = [p for p in ("/root", "/home", "/var", "/etc/shadow", "/sys", "/proc/1") if os.path.exists(p)]
seen += [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]
seen += [p for p in glob.glob("/proc/*/fd/*") if int(p.rsplit("/", 1)[1]) > 3]
seen += [v for v in os.environ if v not in ("PATH", "HOME", "LANG", "LC_CTYPE")]
print("breach:", seen) if seen else None
sys.exit(bool(seen))
