import { z } from 'zod';

// zod compiles its checks with `new Function` where it may; our content security policy forbids that, loudly. It tries
// while a schema is made, so this file is the first import of the entry.
z.config({ jitless: true });
