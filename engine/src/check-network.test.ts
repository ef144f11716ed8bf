/** @module-tag slow */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeNetwork } from '../test/tiny-network.ts';

const PROGRAM = fileURLToPath(new URL('check-network.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-network-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function startCheck(bytes: Uint8Array, settings = {}) {
  const input = { side: 1024, mean: [0.5, 0.5, 0.5], scale: [0.02, 0.02, 0.02] };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const card = join(folder, 'card.json');
  await writeFile(card, JSON.stringify({ file: 'network.onnx', sha256, input }));
  await writeFile(join(folder, 'network.onnx'), bytes);
  const env = { ENGINE_DATA_DIR: folder, ENGINE_KEY: 'none', ENGINE_CUTOUT_CARD: card, ...settings };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return {
    pid: child.pid,
    end: Promise.all([once(child, 'exit').then(([code]) => code as number), text(child.stdout)]),
  };
}

it('prints nothing and leaves no files if the network works', { timeout: 60_000 }, async () => {
  expect(await (await startCheck(makeNetwork())).end).toEqual([0, '']);
  expect((await readdir(folder)).toSorted()).toEqual(['card.json', 'network.onnx']);
});

it('reports a network that is too slow', { timeout: 120_000 }, async () => {
  const { end } = await startCheck(makeNetwork({ burden: 8000 }), { ENGINE_STILL_SECONDS: '6' });
  expect(await end).toEqual([1, 'a photo takes longer than ENGINE_STILL_SECONDS']);
});

it('reports a network that ends its process, on every attempt', { timeout: 60_000 }, async () => {
  const { pid, end } = await startCheck(makeNetwork());
  const killWorkers = () => {
    const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    spawnSync('kill', ['-KILL', ...stdout.split('\n').filter(Boolean)]); // some are gone by now
  };
  const killing = setInterval(killWorkers, 100);
  expect(await end.finally(() => clearInterval(killing))).toEqual([1, 'its process ends with SIGKILL']);
});
