import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstCalls } from '@plinth/contract/api/samples';
import { expect, it } from 'vitest';
import { startTestApp } from './app.ts';
import { makeKey, makePicture, makeUser } from './makers.ts';

it('the first call in TypeScript, as the page for developers shows it, makes a picture', async () => {
  const app = await startTestApp();
  const folder = mkdtempSync(join(tmpdir(), 'plinth-sample-'));
  try {
    const user = await makeUser(app, { credits: 1 });
    const { secret } = await makeKey(app, user);
    writeFileSync(join(folder, 'mug.jpg'), await makePicture());
    writeFileSync(join(folder, 'sample.mts'), firstCalls.TypeScript(app.url));
    const env = { ...process.env, PLINTH_KEY: secret };
    await promisify(execFile)(process.execPath, ['sample.mts'], { cwd: folder, env });
    expect(readFileSync(join(folder, 'mug.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(await user.credits()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
    await app.close();
  }
});
