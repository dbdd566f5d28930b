room = []
while True: room.append(bytearray(1 << 20))
