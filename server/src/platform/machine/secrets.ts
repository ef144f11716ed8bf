import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../errors.ts';

const secretsSchema = z.object({
  postgresPassword: z.string().min(20),
  sandboxWebhookSecret: z.string().startsWith('whsec_'),
  engineKey: z.string().min(20),
  demoPassword: z.string().min(8),
});

/** Secrets that this installation generated on its first start; they never leave the data folder. */
export type Secrets = z.infer<typeof secretsSchema>;

/** Reads the data folder's secrets, or generates them. Two concurrent starts get the same. */
export function readOrMakeSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  if (!existsSync(path)) {
    const draft = join(dataDir, `secrets.${process.pid}.json`);
    writeFileSync(draft, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new ExpectedError(`The secrets in ${path} cannot be read. Put back the file as it was.`, { cause });
  }
}

function makeSecrets(): Secrets {
  return {
    postgresPassword: randomBytes(24).toString('base64url'),
    sandboxWebhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
    engineKey: `engine:${randomBytes(24).toString('base64url')}`,
    demoPassword: `try-${randomBytes(6).toString('hex')}`,
  };
}
