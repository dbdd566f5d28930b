room = []
while True: room.append([len(room)] * 10)
