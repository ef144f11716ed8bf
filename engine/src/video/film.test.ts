import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRandom } from '../pixels/random.ts';
import { directLoop } from './director.ts';
import { makePainter } from './draw.ts';
import { startEncoding } from './encode-apart.ts';
import { openEncoder } from './encoder.ts';
import { makeFilm } from './film.ts';
import { placePicture } from './placement.ts';
import { buildStage, type Stage } from './stage.ts';

const SIDE = 96;
const FPS = 24;
const FRAMES = 60;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-film-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A grey sheet with as much grain as `levels`. */
function buildSheet(levels: number): Promise<Stage> {
  const random = makeRandom(3);
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < rgb.length; i += 3) rgb.fill(128 + levels * (random() - 0.5), i, i + 3);
  const frame = { width: SIDE, height: SIDE };
  return buildStage({ ...frame, data: rgb }, undefined, placePicture(frame, undefined, frame), frame);
}

async function film(stage: Stage, name: string): Promise<Uint8Array> {
  const made = await makeFilm(stage, directLoop(stage, FRAMES, 1), FPS, { folder, name }, async () => {});
  return readFile(made.local_path);
}

/** The same film coded frame by frame in this thread. */
async function codeHere(stage: Stage, quantiser: number): Promise<Uint8Array> {
  const encoder = await openEncoder({ width: SIDE, height: SIDE, fps: FPS, quantiser });
  const painter = makePainter(stage);
  const { poses, effects } = directLoop(stage, FRAMES, 1);
  for (const [n, pose] of poses.entries()) {
    painter.paint({ pose, n, t: n / (FRAMES - 1), seconds: n / FPS }, effects);
    encoder.add(painter.canvas.bytes);
  }
  const bytes = encoder.finish().slice();
  encoder.free();
  return bytes;
}

describe('a film', () => {
  it('is the same to the byte as one that was coded frame after frame', async () => {
    const stage = await buildSheet(6);
    expect(Buffer.compare(await film(stage, 'plain.mp4'), await codeHere(stage, 22))).toBe(0);
  });

  it('of a picture full of grain is coded coarser, so that the file stays small', async () => {
    const stage = await buildSheet(70);
    const [small, fine] = [await film(stage, 'grain.mp4'), await codeHere(stage, 22)];
    expect(small.length).toBeLessThan(0.6 * fine.length);
    expect(Buffer.compare(small, await film(stage, 'again.mp4'))).toBe(0);
  });
});

describe('an encoder that fails', () => {
  it('is heard of by whoever brings it frames', async () => {
    const encoding = startEncoding({ width: 3, height: 3, fps: FPS, quantiser: 22 });
    const frame = new Uint8Array(13);
    const bring = async () => {
      for (let n = 0; n < 20; n += 1) await encoding.add(frame);
    };
    await expect(bring()).rejects.toThrow('the encoder failed');
    await encoding.stop();
  });
});
