// What the routes work with, put together in main.ts.
import type { Files } from '../files.ts';
import type { Jobs } from '../jobs.ts';
import type { TokenMint } from '../tokens.ts';
import type { PublicKeySet } from '../webhook-key.ts';
import type { Answer } from './http.ts';

export interface Wire {
  jobs: Jobs;
  files: Files;
  /** What every caller but a browser sends; the permission for everything. */
  key: string;
  tokens: TokenMint;
  webhookKeys: PublicKeySet;
  /** `host:port` of receivers beside this machine's own that may be sent webhooks. */
  webhookHosts: string[];
  tmpDir: string;
}

export const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not found' } };
