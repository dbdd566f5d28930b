const a = []; for (;;) a.push(Buffer.alloc(1 << 20, 1));
