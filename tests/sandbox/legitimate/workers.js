const { Worker } = require('worker_threads');
const text = require('fs').readFileSync('/dev/stdin', 'utf8');
const child = require('child_process').execSync('echo child').toString();
new Worker('require("worker_threads").parentPort.postMessage(42)', { eval: true })
  .on('message', m => console.log(m === 42 && text === 'input\n' && child === 'child\n' ? 'ok' : 'no'));
