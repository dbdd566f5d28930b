const lines = require("fs").readFileSync("/dev/stdin", "utf8").split("\n");
const height = lines.indexOf("");
const width = lines[0].length;
const [entry, exit] = lines.slice(height + 1, height + 3).map((line) => {
  const [x, y] = line.split(",").map(Number);
  return y * width + x;
});
const walls = lines.slice(0, height).flatMap((row) => [...row].map((digit) => parseInt(digit, 16)));
const step = [-width, 1, width, -1];

const came = new Int8Array(width * height).fill(-1);
came[entry] = 4;
const queue = [entry];
for (let head = 0; head < queue.length && came[exit] < 0; head++) {
  for (let side = 0; side < 4; side++) {
    const cell = queue[head] + step[side];
    if (walls[queue[head]] & (1 << side) || came[cell] >= 0) continue;
    came[cell] = side;
    queue.push(cell);
  }
}

if (came[exit] < 0) {
  console.log("NO PATH");
} else {
  const path = [];
  for (let cell = exit; came[cell] < 4; cell -= step[came[cell]]) path.push("NESW"[came[cell]]);
  console.log(path.reverse().join(""));
}
