// One search from each square that is asked for, its distances kept for the lines that follow.
const steps = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const known = new Map();

function distancesFrom(start) {
  const distance = new Array(64).fill(-1);
  distance[start] = 0;
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    const square = queue[head];
    for (const [dc, dr] of steps) {
      const column = (square >> 3) + dc;
      const row = (square & 7) + dr;
      if (column < 0 || column > 7 || row < 0 || row > 7 || distance[column * 8 + row] >= 0) continue;
      distance[column * 8 + row] = distance[square] + 1;
      queue.push(column * 8 + row);
    }
  }
  return distance;
}

const square = (name) => (name.charCodeAt(0) - 97) * 8 + name.charCodeAt(1) - 49;

const out = [];
for (const line of require("fs").readFileSync(0, "latin1").trim().split("\n")) {
  const [a, b] = line.split(" ");
  const start = square(a);
  if (!known.has(start)) known.set(start, distancesFrom(start));
  out.push(`To get from ${a} to ${b} takes ${known.get(start)[square(b)]} knight moves.`);
}
console.log(out.join("\n"));
