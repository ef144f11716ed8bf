import { z } from 'zod';

// zod compiles its checks with `new Function` where it may; our content security policy forbids that, loudly. It tries
// while a schema is made: this file is the first import of the entry and lies in zod's own chunk (vite.config.ts).
z.config({ jitless: true });
