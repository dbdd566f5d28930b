"""What is wrong with a program, found out in the box: a small input, a known mistake, a crash, how its cost grows."""
