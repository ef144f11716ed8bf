import { existsSync } from 'node:fs';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRandom } from '../pixels/random.ts';
import { directLoop } from './director.ts';
import { makePainter } from './draw.ts';
import { makeFilm, openEncoder, type FilmPlan } from './film.ts';
import { readCoverArt, readMp4 } from '../../test/mp4-facts.ts';
import { placePicture } from './placement.ts';
import { buildStage, type Stage } from './stage.ts';
import { toRgb } from './yuv.ts';

const SIDE = 96;
const FPS = 24;
const FRAMES = 60;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-film-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A grey sheet with noise of `levels`. */
function buildSheet(levels: number): Promise<Stage> {
  const random = makeRandom(3);
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < rgb.length; i += 3) rgb.fill(128 + levels * (random() - 0.5), i, i + 3);
  const frame = { width: SIDE, height: SIDE };
  return buildStage({ ...frame, data: rgb }, undefined, placePicture(frame, undefined, frame), frame);
}

const planSheet = (stage: Stage): FilmPlan => ({ stage, script: directLoop(stage, FRAMES, 1), fps: FPS });

async function film(stage: Stage, name: string): Promise<Uint8Array> {
  return readFile(await makeFilm(planSheet(stage), join(folder, name), async () => {}));
}

describe('a film', () => {
  it('has its first frame as cover art, a JPEG without metadata', async () => {
    const stage = await buildSheet(40);
    const coverArt = sharp(readCoverArt(await film(stage, 'cover.mp4')));
    const { format, width, height, exif, xmp, icc, comments } = await coverArt.metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: SIDE, height: SIDE });
    expect([exif, xmp, icc, comments]).toEqual([undefined, undefined, undefined, undefined]);
    const painter = makePainter(stage);
    const { poses, effects } = directLoop(stage, FRAMES, 1);
    painter.paint({ pose: poses[0]!, t: 0, seconds: 0 }, effects);
    const drawn = toRgb(painter.canvas);
    const shown = await coverArt.raw().toBuffer();
    expect(shown.length).toBe(drawn.length);
    // Such noise costs a JPEG 3.7 levels; 0.2 s later the film differs by 6.6.
    expect(shown.reduce((sum, value, i) => sum + Math.abs(value - drawn[i]!), 0) / drawn.length).toBeLessThan(4);
  });
});

describe('an abandoned film', () => {
  it('stops immediately, and the next one is made', async () => {
    const stage = await buildSheet(6);
    const shares: number[] = [];
    const leave = async (share: number) => {
      shares.push(share);
      if (share > 0.3) throw new Error('cancelled');
    };
    const path = join(folder, 'left.mp4');
    await expect(makeFilm(planSheet(stage), path, leave)).rejects.toThrow('cancelled');
    expect(shares.length).toBeLessThan(8);
    expect(existsSync(path)).toBe(false);
    expect((await film(stage, 'next.mp4')).length).toBeGreaterThan(0);
  });
});

describe("a film's progress", () => {
  it('never decreases and stays below 1', async () => {
    const stage = await buildSheet(6);
    const shares: number[] = [];
    const report = async (share: number) => void shares.push(share);
    const made = await makeFilm(planSheet(stage), join(folder, 'new', 'folder', 'told.mp4'), report);
    expect(shares[0]).toBe(0);
    for (let n = 1; n < shares.length; n += 1) expect(shares[n]!).toBeGreaterThan(shares[n - 1]!);
    expect(shares.at(-1)).toBeLessThan(1);
    expect(readMp4(await readFile(made))).toMatchObject({
      width: SIDE,
      height: SIDE,
      frames: FRAMES,
      seconds: FRAMES / FPS,
    });
  });
});

const CODING = { width: SIDE, height: SIDE, fps: FPS };
const FRAME = new Uint8Array(SIDE * SIDE * 1.5).fill(90);

/** One second of grey. */
async function encodeGrey(): Promise<Uint8Array> {
  const encoder = await openEncoder(CODING);
  for (let n = 0; n < FPS; n += 1) encoder.add(FRAME);
  const bytes = encoder.finish().slice();
  encoder.dispose();
  return bytes;
}

describe('an encoder', () => {
  it('encodes film after film, also after an aborted one, deterministically', async () => {
    const first = await encodeGrey();
    for (const frames of [0, 1, FPS]) {
      const abandoned = await openEncoder(CODING);
      for (let n = 0; n < frames; n += 1) abandoned.add(FRAME);
      abandoned.dispose();
      expect(Buffer.compare(await encodeGrey(), first)).toBe(0);
    }
  });

  it('releases its memory, finished or not', async () => {
    const coding = { width: 640, height: 640, fps: FPS };
    const frame = new Uint8Array(640 * 640 * 1.5).fill(128);
    const openAndFree = async (isFinished: boolean) => {
      const encoder = await openEncoder(coding);
      encoder.add(frame);
      if (isFinished) encoder.finish();
      encoder.dispose();
    };
    await openAndFree(true);
    const before = process.memoryUsage().external;
    for (let n = 0; n < 40; n += 1) await openAndFree(n % 2 === 0);
    expect(process.memoryUsage().external - before).toBeLessThan(20e6); // twenty leaked encoders would hold 43 MB
  });
});
