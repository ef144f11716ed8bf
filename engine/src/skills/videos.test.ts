import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeFolder, startEngine, submit, toDataUrl, waitFor, type Engine } from '../../test/engine.ts';
import { readMp4 } from '../video/mp4.ts';

const BASIC = 'fal-ai/ltx-video/image-to-video';
const PREMIUM = 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video';

let engine: Engine;
let stripes: string;
beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1' });
  stripes = await drawStripes(300, 180);
});
afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

/** A picture without a product: soft diagonal stripes. */
async function drawStripes(width: number, height: number): Promise<string> {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < data.length; i += 1) {
    const pixel = Math.floor(i / 3);
    data[i] = 128 + 60 * Math.sin((pixel % width) / 14 + Math.floor(pixel / width) / 23 + (i % 3));
  }
  return toDataUrl(
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
    'image/png',
  );
}

type Film = {
  url: string;
  content_type: string;
  width: number;
  height: number;
  fps: number;
  duration: number;
  num_frames: number;
};

async function film(app: string, input: Record<string, unknown>) {
  const { data } = await engine.fal.subscribe(app, { input: { image_url: stripes, ...input }, pollInterval: 100 });
  const { video, seed } = data as { video: Film; seed: number };
  const response = await fetch(video.url);
  expect(response.headers.get('content-type')).toBe('video/mp4');
  return { video, seed, facts: readMp4(new Uint8Array(await response.arrayBuffer())) };
}

async function refusalOf(app: string, input: Record<string, unknown>) {
  const error = await engine.fal.subscribe(app, { input, pollInterval: 100 }).then(
    () => undefined,
    (reason: unknown) => reason as { status: number; body: { detail: { loc: string[]; type: string }[] } },
  );
  const [entry] = error?.body.detail ?? [];
  return { status: error?.status, field: entry?.loc.at(-1), type: entry?.type };
}

describe('image-to-video over the wire', { timeout: 90_000 }, () => {
  it('films any picture, of any shape, as a square loop of four seconds', async () => {
    const { video, seed, facts } = await film(BASIC, {
      prompt: 'anything',
      num_inference_steps: 30,
      guidance_scale: 3,
      seed: 9,
    });
    expect(video).toMatchObject({ content_type: 'video/mp4', width: 768, height: 768, fps: 24, duration: 4 });
    expect(facts).toMatchObject({ width: 768, height: 768, frames: 96, seconds: 4, startsFast: true });
    expect(seed).toBe(9);
  });

  it('films in the asked-for shape, resolution and length', async () => {
    const { video, facts } = await film(PREMIUM, {
      prompt: 'pan left',
      aspect_ratio: '9:16',
      resolution: '480p',
      duration: '4',
      generate_audio: false,
      camera_fixed: false,
    });
    expect(video).toMatchObject({ width: 486, height: 864, fps: 30, duration: 4, num_frames: 120 });
    expect(facts).toMatchObject({ width: 486, height: 864, frames: 120, seconds: 4 });
  });

  it.each([
    ['no prompt', PREMIUM, { prompt: '' }, 'prompt', 'missing'],
    ['a shape that nobody asked for', PREMIUM, { prompt: 'pan', aspect_ratio: '7:5' }, 'aspect_ratio', 'literal_error'],
    ['a duration as a number', PREMIUM, { prompt: 'pan', duration: 5 }, 'duration', 'literal_error'],
    ['no picture', BASIC, { image_url: null }, 'image_url', 'missing'],
  ])('refuses %s', async (_, app, input, field, type) => {
    expect(await refusalOf(app, { image_url: stripes, ...input })).toMatchObject({ status: 422, field, type });
  });

  it('refuses an empty sheet rather than sell a film of nothing', async () => {
    const blank = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const input = { image_url: toDataUrl(blank, 'image/png') };
    expect(await refusalOf(BASIC, input)).toMatchObject({
      status: 422,
      field: 'image_url',
      type: 'no_media_generated',
    });
  });
});

describe('the time limit', { timeout: 90_000 }, () => {
  it('of videos is their own', async () => {
    const hurried = await startEngine({ ENGINE_WORKERS: '1', ENGINE_VIDEO_SECONDS: '1' });
    try {
      const id = await submit(hurried, BASIC, { image_url: stripes });
      const result = await waitFor(async () => {
        const response = await hurried.call('GET', `/queue/fal-ai/ltx-video/requests/${id}`);
        return response.status === 400 ? undefined : response; // 400: not finished yet
      }, 60_000);
      expect(result.status).toBe(504);
    } finally {
      await hurried.stop();
      await removeFolder(hurried);
    }
  });
});
