const { spawn } = require('child_process');
for (let i = 0; i < 500; i++) spawn('/bin/sleep', ['60']).on('error', () => process.exit(1));
