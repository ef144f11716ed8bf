import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepOwnFolder, nameOwnFolder } from './own-folder.ts';

const LOOK_MS = 20;

let dataDir: string;
let close: () => void;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'own-folder-'));
  close = () => undefined;
});
afterEach(() => {
  close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What a process was working on. */
function leavePhoto(folder: string): string {
  mkdirSync(join(folder, 'engine'), { recursive: true });
  const photo = join(folder, 'engine', 'photo.jpg');
  writeFileSync(photo, 'somebody');
  return photo;
}

it('takes away what a killed process left, and nothing of one that lives', async () => {
  const own = nameOwnFolder(dataDir);
  const dead = leavePhoto(join(dirname(own), 'another-machine-1'));
  const living = leavePhoto(join(dirname(own), 'another-machine-2'));
  const pulse = setInterval(() => utimesSync(join(living, '..', '..'), Date.now() / 1000, Date.now() / 1000), 5);
  close = keepOwnFolder(dataDir, LOOK_MS);
  const mine = leavePhoto(own);
  await expect.poll(() => existsSync(dead), { timeout: 5000 }).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 15 * LOOK_MS));
  expect([existsSync(living), existsSync(mine)]).toEqual([true, true]);
  clearInterval(pulse);
  await expect.poll(() => existsSync(living), { timeout: 5000 }).toBe(false);
});

it('begins and ends with nothing in its own, also where an earlier process had its number', () => {
  const earlier = leavePhoto(nameOwnFolder(dataDir));
  close = keepOwnFolder(dataDir, LOOK_MS);
  expect(existsSync(earlier)).toBe(false);
  const mine = leavePhoto(nameOwnFolder(dataDir));
  close();
  expect(existsSync(mine)).toBe(false);
});
