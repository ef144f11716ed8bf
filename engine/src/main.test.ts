/** @module-tag slow */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

it('exits with its parent, even one that ended before it listens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-main-'));
  const settings = { ENGINE_DATA_DIR: folder, ENGINE_KEY: 'the-key', ENGINE_PORT: '0' };
  const main = join(import.meta.dirname, 'main.ts');
  const starter = `const { spawn } = require('node:child_process');
    const env = { PATH: process.env.PATH, ...${JSON.stringify(settings)} };
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'];
    const { pid } = spawn(process.execPath, [${JSON.stringify(main)}], { env, stdio, detached: true });
    process.stdout.write(String(pid), () => process.exit());`;
  const pid = Number(execFileSync(process.execPath, ['-e', starter], { encoding: 'utf8' }));
  const isThere = () => {
    try {
      return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
    } catch {
      return false;
    }
  };
  try {
    expect(isThere()).toBe(true);
    await vi.waitFor(() => expect(isThere()).toBe(false), { timeout: 20_000, interval: 100 });
  } finally {
    if (isThere()) process.kill(-pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
