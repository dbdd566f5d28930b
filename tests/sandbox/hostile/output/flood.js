const line = 'x'.repeat(1000) + '\n'; for (;;) require('fs').writeSync(1, line);
