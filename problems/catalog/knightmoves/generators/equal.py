"""equal.py: from every square to itself."""

for column in "abcdefgh":
    for row in "12345678":
        print(column + row, column + row)
