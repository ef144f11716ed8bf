import { z } from 'zod';

// zod compiles its checks with `new Function` if allowed, which our content security policy forbids and logs. zod tries
// this while a schema is created, so this file is the entry's first import and in zod's own chunk (vite.config.ts).
z.config({ jitless: true });
