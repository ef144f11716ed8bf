import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_THREADS } from './cutout/network-file.ts';

/** The only reader of the environment: the setting `dataDir` is ENGINE_DATA_DIR there. */

function whole(fallback: number, min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule).default(fallback);
}

const absolutePath = z.string('is required').transform((text) => resolve(text));

const schema = z.object({
  host: z.string().default('127.0.0.1').describe('address to listen on'),
  port: whole(0, 0, 65_535).describe('0 takes any free one, told on standard output'),
  dataDir: absolutePath.describe('what is being worked on lies below this folder'),
  key: z.string('is required').describe('what callers send as "Authorization: Key …"'),
  workers: whole(Math.min(2, availableParallelism()), 1, 16).describe('pictures made at one time'),
  stillSeconds: whole(30, 1, 600).describe('processor time of one attempt at a still picture'),
  videoSeconds: whole(90, 1, 600).describe('and at a video'),
  networkThreads: whole(DEFAULT_THREADS, 1, 16).describe('threads that one worker may use for a network'),
  cutoutCard: absolutePath.optional().describe('card (JSON) of another cut-out network, beside its file'),
  workerMegabytes: whole(1024, 128, 65_536).describe('resident memory of one worker at most'),
});

export type Config = z.infer<typeof schema>;

/** The settings are invalid; the message lists every fault. */
export class ConfigError extends Error {}

/** Reads and validates all settings; empty values count as missing. @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const names = Object.keys(schema.shape).map((key) => [key, env[toName(key)]?.trim()] as const);
  const read = schema.safeParse(Object.fromEntries(names.filter(([, value]) => value)));
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => `${toName(String(path[0]))} ${message}`);
  throw new ConfigError(`engine settings: ${faults.join('; ')}`);
}

const toName = (key: string) => `ENGINE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
