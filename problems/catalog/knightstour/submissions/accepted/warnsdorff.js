// Warnsdorff's rule, with ties broken by looking one move further, and backtracking with a budget.
const [n, row, column] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const MOVES = [[-2, 1], [-1, 2], [1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1]];

const near = [];
for (let r = 0; r < n; r++) {
  for (let c = 0; c < n; c++) {
    near.push(MOVES.map(([dr, dc]) => [r + dr, c + dc])
      .filter(([a, b]) => a >= 0 && a < n && b >= 0 && b < n)
      .map(([a, b]) => a * n + b));
  }
}

let visit;
let budget;

const freeAround = (square) => near[square].filter((other) => visit[other] === 0);

function search(square, number) {
  if (budget-- <= 0) return 'lost';
  visit[square] = number;
  if (number === n * n) return 'found';
  const candidates = freeAround(square).map((other) => {
    const next = freeAround(other);
    return { other, ways: next.length, further: Math.min(...next.map((s) => freeAround(s).length)) };
  });
  candidates.sort((a, b) => a.ways - b.ways || a.further - b.further || 0);
  for (const { other } of candidates) {
    const result = search(other, number + 1);
    if (result !== 'nothing') return result;
  }
  visit[square] = 0;
  return 'nothing';
}

let result = n % 2 === 1 && (row + column) % 2 === 1 ? 'nothing' : 'lost';
for (let allowed = 4 * n * n; result === 'lost'; allowed *= 2) {
  visit = new Array(n * n).fill(0);
  budget = allowed;
  result = search((row - 1) * n + column - 1, 1);
  for (const squares of near) squares.push(squares.shift());
}
if (result === 'nothing') {
  console.log('NO TOUR');
} else {
  for (let r = 0; r < n; r++) console.log(visit.slice(r * n, r * n + n).join(' '));
}
