import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doTask, removeFolder, startEngine, type Engine } from '../../test/engine.ts';
import { UNCLEAR_PRODUCT } from '../cutout/matting.ts';
import { readMp4 } from '../../test/mp4-facts.ts';

const BASIC = 'basic-video';
const PREMIUM = 'premium-video';
const THING = join(import.meta.dirname, '../../quality/pictures/real/thing-01.jpg');

let engine: Engine;
let stripes: Buffer;
beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1' });
  stripes = await drawStripes(300, 180);
});
afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

/** A picture without a product: soft diagonal stripes. */
async function drawStripes(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < data.length; i += 1) {
    const pixel = Math.floor(i / 3);
    data[i] = 128 + 60 * Math.sin((pixel % width) / 14 + Math.floor(pixel / width) / 23 + (i % 3));
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

describe('a video over the wire', { timeout: 240_000 }, () => {
  it('films a photo of any shape as a square loop of four seconds', { tags: ['slow'] }, async () => {
    const input = { prompt: 'anything', seed: 9 };
    const photo = await sharp(THING).resize(300, 180).png().toBuffer();
    const { end, file } = await doTask(engine, BASIC, { pictures: { image_url: photo }, input });
    expect(end).toMatchObject({ kind: 'done', bytes: file.byteLength });
    const facts = readMp4(new Uint8Array(file));
    expect(facts).toMatchObject({ width: 768, height: 768, frames: 96, seconds: 4, startsFast: true });
  });

  it.each([
    ['a shape that nobody asked for', { prompt: 'pan', aspect_ratio: '7:5' }, 'aspect_ratio'],
    ['a duration as a number', { prompt: 'pan', duration: 5 }, 'duration'],
  ])('refuses %s', async (_, input, field) => {
    const { end } = await doTask(engine, PREMIUM, { pictures: { image_url: stripes }, input });
    expect(end).toMatchObject({ kind: 'refused', message: expect.stringContaining(field) });
  });

  it.each([
    [BASIC, {}],
    [PREMIUM, { prompt: 'slow push in' }],
  ])('%s asks for the product if the network is uncertain', async (app, input) => {
    const { end } = await doTask(engine, app, { pictures: { image_url: stripes }, input });
    const candidate = { box: expect.toSatisfy((box) => box === null || box.length === 4) };
    expect(end).toMatchObject({ kind: 'refused', message: UNCLEAR_PRODUCT, candidate });
  });

  it('refuses a blank photo instead of selling a film of it', async () => {
    const blank = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { end } = await doTask(engine, BASIC, { pictures: { image_url: blank } });
    expect(end).toMatchObject({ kind: 'refused', message: expect.stringContaining('The picture is empty') });
  });
});
