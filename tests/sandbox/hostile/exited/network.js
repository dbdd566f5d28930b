const net = require('net'), dgram = require('dgram'), dns = require('dns');
const start = Date.now();
const breach = what => { console.log('breach:', what); process.exit(1); };
for (const to of [{host: '127.0.0.1', port: 6379}, {host: '1.1.1.1', port: 53}, {path: '\0x'}]) net.connect(to, () => breach('connected')).on('error', () => {});
net.createServer().on('error', () => {}).listen(8080, () => breach('listens'));
try { dgram.createSocket('udp4').on('error', () => {}).send('x', 53, '1.1.1.1', e => { if (!e) breach('sent'); }); } catch (e) { }
dns.lookup('example.org', e => { if (!e) breach('looked up'); });
try { process.kill(1, 'SIGKILL'); breach('killed the keeper'); } catch (e) { }
process.on('exit', () => { if (Date.now() - start > 3000) process.exitCode = 1; });
