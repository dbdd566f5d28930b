const room = [];
while (true) room.push(new Array(1 << 17).fill(room.length + 0.5));
