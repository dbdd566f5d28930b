// Backtracking over the squares as numbers, all tours collected and printed at the end.
const [n, row, column] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const all = n * n;
const down = (square) => Math.floor(square / n);
const near = [...Array(all).keys()].map((s) => [...Array(all).keys()].filter(
  (t) => (down(s) - down(t)) ** 2 + (s % n - t % n) ** 2 === 5,
));
const visited = new Array(all).fill(false);
const walk = [];
const lines = [];
let tours = 0;

function visit(square) {
  visited[square] = true;
  walk.push(square);
  if (walk.length === all) {
    tours += 1;
    lines.push(`Solution ${tours}:`, walk.map((s) => `${down(s) + 1}-${(s % n) + 1}`).join(' '), '');
  } else {
    for (const other of near[square]) if (!visited[other]) visit(other);
  }
  walk.pop();
  visited[square] = false;
}

visit((row - 1) * n + column - 1);
if (tours === 0) lines.push('0');
console.log(lines.join('\n'));
