// Neither V8's heap nor one buffer: many memories of WebAssembly's and shared ones.
const kept = [];
for (let i = 0; i < 400; i++) {
  const memory = new WebAssembly.Memory({ initial: 16 });
  new Uint8Array(memory.buffer).fill(1);
  kept.push(memory, new Uint8Array(new SharedArrayBuffer(1 << 20)).fill(1));
}
