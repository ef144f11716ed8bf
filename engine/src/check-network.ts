import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { readConfig } from './config.ts';
import { Pool } from './pool/pool.ts';
import type { TaskEnd } from './pool/task.ts';

/** Tries the configured network on a photo, within the limits of every task. Logs a failure and exits with 1. */

const SIZE = { width: 6000, height: 4000 };
const REASONS: Record<string, string> = {
  time_limit: 'a photo takes longer than ENGINE_STILL_SECONDS',
  'memory ceiling': 'a worker needs more than ENGINE_WORKER_MEGABYTES',
  silent: 'its process hangs',
};

const config = readConfig();
const folder = await mkdtemp(join(config.dataDir, 'check-'));
const pool = new Pool({ ...config, workers: 1 });
try {
  const photo = join(folder, 'photo.jpg');
  // A gradient from dark to light, so that unconverted logits are noticed.
  const fade = sharp(Uint8Array.of(0, 90, 160, 255), { raw: { width: 2, height: 2, channels: 1 } });
  await fade.resize({ ...SIZE, fit: 'fill', kernel: 'linear' }).toFile(photo);
  const task = { id: 'check', skill: 'remove-background', input: {}, pictures: { image_url: photo }, folder };
  const end = await pool.run(task, () => undefined, AbortSignal.any([]));
  const problem = findProblem(end);
  process.stdout.write(problem ?? '');
  process.exitCode = problem === undefined ? 0 : 1;
} finally {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
}

/** An unclear product counts as success, too. */
function findProblem(end: TaskEnd): string | undefined {
  if (end.kind === 'done' || end.kind === 'refused') return undefined;
  const { reason } = end;
  return (
    REASONS[reason] ??
    reason
      .split('\n    at ')[0]
      ?.replace(/^BadNetwork: /, '')
      .replace(/^exit /, 'its process ends with ')
  );
}
