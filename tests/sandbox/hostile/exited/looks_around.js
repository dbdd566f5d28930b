const fs = require('fs');
const seen = ['/root', '/home', '/var', '/etc/shadow', '/sys', '/proc/1', '/dev/vda'].filter(p => fs.existsSync(p));
const extra = Object.keys(process.env).filter(v => !['PATH', 'HOME', 'LANG'].includes(v));
if (seen.length + extra.length) { console.log('breach:', seen, extra); process.exit(1); }
