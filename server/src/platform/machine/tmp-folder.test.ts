import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepTmpFolder, tmpFolder } from './tmp-folder.ts';

const MINUTE = 60;

let dataDir: string;
let close: () => void;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tmp-folder-'));
  mkdirSync(tmpFolder(dataDir));
  close = () => undefined;
});
afterEach(() => {
  close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** An uploaded photo, and a file in the folder of an engine's task. */
function writePhotos(name: string, secondsAgo: number): string[] {
  const upload = join(tmpFolder(dataDir), `${name}-arrived`);
  const task = join(tmpFolder(dataDir), `${name}-task`);
  mkdirSync(task);
  const photos = [upload, join(task, 'image_url')];
  for (const photo of photos) writeFileSync(photo, 'somebody');
  const moment = Date.now() / 1000 - secondsAgo;
  for (const path of [upload, task]) utimesSync(path, moment, moment);
  return photos;
}

const listExisting = (photos: string[]) => photos.map((photo) => existsSync(photo));

it('takes away at once what killed processes left an hour ago, and nothing that may be at work', async () => {
  const stale = writePhotos('left', 61 * MINUTE);
  const recent = writePhotos('at-work', 59 * MINUTE);
  close = sweepTmpFolder(dataDir);
  await expect.poll(() => listExisting(stale), { timeout: 5000 }).toEqual([false, false]);
  expect(listExisting(recent)).toEqual([true, true]);
});

it('goes on looking while the process lives', async () => {
  close = sweepTmpFolder(dataDir, 20);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stale = writePhotos('left', 61 * MINUTE);
  await expect.poll(() => listExisting(stale), { timeout: 5000 }).toEqual([false, false]);
});
