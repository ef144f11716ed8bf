import { expect, it } from 'vitest';
import { makeClip } from '../../test/clip.ts';
import { decodeFirstFrame } from './first-frame.ts';

// To turn its pixels into colours here would take this thread 35 to 100 of them.
const MOST_HERE_MS = 15;

it('the event loop goes on while the first frame of a clip becomes a picture', { tags: ['slow'] }, async () => {
  const clip = await makeClip({ width: 1280, height: 720, frames: 2, isBlack: true });
  // What is loaded once is not counted.
  await decodeFirstFrame(await makeClip());
  const before = process.threadCpuUsage();
  const frame = await decodeFirstFrame(clip);
  const { user, system } = process.threadCpuUsage(before);
  expect(await frame?.metadata()).toMatchObject({ width: 1280, height: 720, channels: 3 });
  expect((user + system) / 1000).toBeLessThan(MOST_HERE_MS);
});
