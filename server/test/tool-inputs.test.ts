import type { ToolId } from '@plinth/contract/tools';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { findModelId, makePicture, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 500 });
});
afterAll(() => app.close());

type Fields = Record<string, string | Buffer>;

function send(tool: string, fields: Fields, type = 'image/jpeg'): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([new Uint8Array(value)], { type }), 'photo.jpg');
  }
  const headers = { 'idempotency-key': crypto.randomUUID() };
  return user.fetch(`/api/v1/tools/${tool}/generations`, { method: 'POST', headers, body: form });
}

/** The provider's input for these fields. */
async function reach(tool: ToolId, fields: Fields, type?: string) {
  const answer = await send(tool, fields, type);
  expect(answer.status, await answer.clone().text()).toBe(202);
  const { id } = (await answer.json()) as { id: string };
  expect((await waitForEnd(user, id)).status).toBe('succeeded');
  const job = app.provider.submits.at(-1);
  if (job === undefined) throw new Error('nothing reached the provider');
  return { model: job.app, input: job.input };
}

const JPEG = expect.stringMatching(/^data:image\/jpeg;base64,[A-Za-z0-9+/]+=*$/) as string;

describe('what reaches the provider', () => {
  it.each<{ tool: ToolId; fields: () => Promise<Fields>; model: string; input: object }>([
    {
      tool: 'text-to-image',
      fields: async () => ({ image: await makePicture(), prompt: ' on marble ' }),
      model: 'fal-ai/bria/background/replace',
      input: { image_url: JPEG, prompt: 'on marble', refine_prompt: true, fast: true, num_images: 1 },
    },
    {
      tool: 'remover',
      fields: async () => ({ image: await makePicture() }),
      model: 'fal-ai/bria/background/remove',
      input: { image_url: JPEG },
    },
    {
      tool: 'dress-change',
      fields: async () => ({ modelImage: await makePicture(), garmentImage: await makePicture() }),
      model: 'fal-ai/fashn/tryon/v1.6',
      input: {
        model_image: JPEG,
        garment_image: JPEG,
        category: 'auto',
        mode: 'balanced',
        garment_photo_type: 'auto',
        moderation_level: 'permissive',
        seed: 42,
        num_samples: 1,
        segmentation_free: true,
      },
    },
    {
      tool: 'headshot-generator',
      fields: async () => ({
        image: await makePicture(),
        targetModelId: await findModelId(user),
        gender: 'female',
        hairStyle: 'target_hair',
      }),
      model: 'fal-ai/nano-banana/edit',
      input: {
        prompt: expect.stringMatching(/face of the woman .* with the hair of the second picture/) as string,
        image_urls: [JPEG, JPEG],
        num_images: 1,
        output_format: 'png',
      },
    },
    {
      tool: 'basic-image-to-video',
      fields: async () => ({ image: await makePicture() }),
      model: 'fal-ai/ltx-video/image-to-video',
      input: { image_url: JPEG, prompt: expect.stringMatching(/camera/) as string },
    },
    {
      tool: 'image-to-video',
      fields: async () => ({ image: await makePicture(), prompt: 'turn slowly', aspectRatio: '1:1' }),
      model: 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video',
      input: { image_url: JPEG, prompt: 'turn slowly', aspect_ratio: '1:1', generate_audio: false },
    },
  ])('for $tool is what the specification says, field by field', async ({ tool, fields, model, input }) => {
    expect(await reach(tool, await fields())).toEqual({ model, input });
  });

  it('is 16:9 where no aspect ratio was sent', async () => {
    const { input } = await reach('image-to-video', { image: await makePicture(), prompt: 'turn' });
    expect(input.aspect_ratio).toBe('16:9');
  });

  it('takes the price of its seconds, and tells the model of those that it would not make by itself', async () => {
    const spent = async (fields: Fields) => {
      const before = await user.credits();
      const { input } = await reach('image-to-video', { image: await makePicture(), prompt: 'turn', ...fields });
      return [before - (await user.credits()), input.duration];
    };
    expect(await spent({})).toEqual([5, undefined]);
    expect(await spent({ duration: '5' })).toEqual([5, undefined]);
    expect(await spent({ duration: '8' })).toEqual([8, '8']);
    expect(await spent({ duration: '12' })).toEqual([12, '12']);
  });

  it.each([
    { duration: '6' },
    { duration: '' },
    { aspectRatio: '4:5' }, // Seedance has no such shape
    { aspectRatio: '21:9' },
  ])('is refused with %j, and nothing is paid', async (fields) => {
    const answer = await send('image-to-video', { image: await makePicture(), prompt: 'turn', ...fields });
    await expectProblem(answer, 'invalid_option');
  });

  it('says the hair of the person where nothing was chosen, and no gender', async () => {
    const { input } = await reach('headshot-generator', {
      image: await makePicture(),
      targetModelId: await findModelId(user),
    });
    expect(input.prompt).toMatch(/face of the person .* with the hair of the first picture/);
  });
});

describe('the square of the basic video', () => {
  const decode = (url: unknown) => Buffer.from(String(url).split(',')[1] ?? '', 'base64');

  it('is cut from the middle of a wide picture', async () => {
    const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#ff0000' } })
      .composite([
        {
          input: { create: { width: 300, height: 300, channels: 3, background: '#0000ff' } },
          left: 300,
          top: 0,
        },
      ])
      .jpeg()
      .toBuffer();
    const { input } = await reach('basic-image-to-video', { image: wide });
    const { data, info } = await sharp(decode(input.image_url)).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([768, 768]);
    for (const x of [20, 384, 748]) {
      const at = (384 * 768 + x) * 3;
      expect(data[at]).toBeLessThan(40);
      expect(data[at + 2]).toBeGreaterThan(200);
    }
  });

  it('is white where the picture lets through', async () => {
    const clear = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { input } = await reach('basic-image-to-video', { image: clear }, 'image/png');
    const { channels } = await sharp(decode(input.image_url)).stats();
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });
});

describe('a video tool', () => {
  it.each(['basic-image-to-video', 'image-to-video'])('%s takes no WebP, and says what it takes', async (tool) => {
    const webp = await sharp(await makePicture())
      .webp()
      .toBuffer();
    const answer = await send(tool, { image: webp, prompt: 'turn' }, 'image/webp');
    await expectProblem(answer, 'unsupported_image_type', 'Please select an image file (JPEG or PNG)');
  });
});

describe('a choice', () => {
  it.each([
    ['image-to-video', { prompt: 'turn', aspectRatio: '4:3' }, 'aspectRatio'],
    ['headshot-generator', { targetModelId: 'mdl_unknown' }, 'targetModelId'],
    ['headshot-generator', { targetModelId: 'https://example.com/a.jpg' }, 'targetModelId'],
    ['headshot-generator', { targetModelId: 'MODEL', gender: 'other' }, 'gender'],
    ['headshot-generator', { targetModelId: 'MODEL', hairStyle: '' }, 'hairStyle'],
  ])('of %s that is not offered is refused: %o', async (tool, texts: Record<string, string>, field) => {
    const fields = { image: await makePicture(), ...texts };
    if (texts.targetModelId === 'MODEL') Object.assign(fields, { targetModelId: await findModelId(user) });
    const problem = await expectProblem(await send(tool, fields), 'invalid_option');
    expect(problem.fields?.[0]?.field).toBe(field);
  });
});

it('takes no text that is sent as a file', async () => {
  const [image, file] = [await makePicture(), Buffer.from('16:9')];
  const sentence = 'Please provide both an image and a prompt';
  await expectProblem(await send('image-to-video', { image, prompt: file }), 'prompt_required', sentence);
  await expectProblem(await send('image-to-video', { image, prompt: 'turn', aspectRatio: file }), 'invalid_option');
});

describe('an empty form', () => {
  it.each([
    ['dress-change', ['model_image_required', 'garment_image_required']],
    ['headshot-generator', ['image_required', 'target_model_required']],
    ['image-to-video', ['image_required', 'prompt_required']],
    ['basic-image-to-video', ['image_required']],
  ])('of %s is told everything that is missing, in the order of its fields', async (tool, codes) => {
    const answer = await send(tool, {});
    expect(answer.status).toBe(422);
    const problem = (await answer.json()) as { fields: { code: string }[]; code: string };
    expect(problem.fields.map(({ code }) => code)).toEqual(codes);
    expect(problem.code).toBe(codes[0]);
  });

  it('of the dress changer with too few credits says it in its own words', async () => {
    const poor = await makeUser(app);
    const form = new FormData();
    for (const name of ['modelImage', 'garmentImage'])
      form.set(name, new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' }), 'a.jpg');
    const answer = await poor.fetch('/api/v1/tools/dress-change/generations', {
      method: 'POST',
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: form,
    });
    await expectProblem(
      answer,
      'insufficient_credits',
      'Not enough credits. Please purchase more credits to continue.',
    );
  });
});

describe('the picture of a basic video that the built-in engine makes', () => {
  it('is sent whole: the engine frames the product in it', async () => {
    const own = await startTestApp({}, undefined, 'built-in');
    try {
      const person = await makeUser(own, { credits: 5 });
      const form = new FormData();
      const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#30c060' } })
        .jpeg()
        .toBuffer();
      form.set('image', new Blob([new Uint8Array(wide)], { type: 'image/jpeg' }), 'photo.jpg');
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const path = '/api/v1/tools/basic-image-to-video/generations';
      const answer = await person.fetch(path, { method: 'POST', headers, body: form });
      expect(answer.status).toBe(202);
      await waitForEnd(person, ((await answer.json()) as { id: string }).id);
      const sent = String(own.provider.submits.at(-1)?.input.image_url).split(',')[1] ?? '';
      const { width, height } = await sharp(Buffer.from(sent, 'base64')).metadata();
      expect([width, height]).toEqual([900, 300]);
    } finally {
      await own.close();
    }
  });
});
