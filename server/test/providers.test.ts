import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ToolId, toolIds, tools } from '@plinth/contract/tools';
import { isPublicAddress } from '../src/providers/fetch-file.ts';
import { auditLedger } from '../src/credits/audit.ts';
import { startTestApp, type TestApp } from './app.ts';
import { ended, makeGeneration, makePicture, makeUser } from './makers.ts';
import type { Behaviour } from './provider-script.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => app.provider.behave({}));
afterAll(() => app.close());

const json =
  (status: number, body: unknown): NonNullable<Behaviour['submit']> =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };

type Case = { what: string; behaviour: Behaviour; code: string; message?: string };

const cases: Case[] = [
  { what: 'answers the submit with 500', behaviour: { submit: json(500, {}) }, code: 'provider_failed' },
  {
    what: 'answers the submit without a request id',
    behaviour: { submit: json(200, { status: 'IN_QUEUE' }) },
    code: 'provider_failed',
  },
  {
    what: 'answers the submit with a path as request id',
    behaviour: { submit: json(200, { request_id: '../../x' }) },
    code: 'provider_failed',
  },
  {
    what: 'refuses the picture with a sentence about the field',
    behaviour: {
      submit: json(422, { detail: [{ loc: ['body', 'image_url'], msg: 'The picture is too dark.', type: 'x' }] }),
    },
    code: 'provider_rejected',
    message: 'The picture is too dark.',
  },
  {
    what: 'refuses with markup, which is not shown',
    behaviour: { submit: json(422, { detail: [{ msg: '<b>no</b>' }] }) },
    code: 'provider_rejected',
  },
  { what: 'says FAILED', behaviour: { status: () => ({ body: { status: 'FAILED' } }) }, code: 'provider_failed' },
  {
    what: 'says a status nobody knows',
    behaviour: { status: () => ({ body: { status: 'CANCELLED' } }) },
    code: 'provider_failed',
  },
  {
    what: 'completes with an error',
    behaviour: { status: () => ({ body: { status: 'COMPLETED', error: 'x' } }) },
    code: 'provider_failed',
  },
  {
    what: 'forgets the request',
    behaviour: { status: () => ({ httpStatus: 404, body: {} }) },
    code: 'provider_not_found',
  },
  {
    what: 'never finishes',
    behaviour: { status: () => ({ body: { status: 'IN_PROGRESS' } }) },
    code: 'provider_timeout',
  },
  { what: 'never begins', behaviour: { status: () => ({ body: { status: 'IN_QUEUE' } }) }, code: 'provider_timeout' },
  {
    what: 'refuses at the result',
    behaviour: { result: () => ({ httpStatus: 422, body: { detail: [{ msg: 'No product found.' }] } }) },
    code: 'provider_rejected',
    message: 'No product found.',
  },
  {
    what: 'completes with an error and says why at the result',
    behaviour: {
      status: () => ({ body: { status: 'COMPLETED', error: 'x' } }),
      result: () => ({ httpStatus: 422, body: { detail: [{ msg: 'We could not tell the product.' }] } }),
    },
    code: 'provider_rejected',
    message: 'We could not tell the product.',
  },
  {
    what: 'answers an error body as if it were a result',
    behaviour: { result: () => ({ body: { detail: 'Moderation.' } }) },
    code: 'provider_rejected',
    message: 'Moderation.',
  },
  {
    what: 'has no file address',
    behaviour: { result: () => ({ body: { images: [], image: null } }) },
    code: 'result_missing',
  },
  { what: 'answers null', behaviour: { result: () => ({ body: null }) }, code: 'result_missing' },
  ...[
    'http://127.0.0.1:1/x.png',
    'http://169.254.169.254/latest',
    'https://[::1]/x.png',
    'file:///etc/passwd',
    'not a url',
  ].map((url) => ({
    what: `points to ${url}`,
    behaviour: { result: () => ({ body: { image: { url }, images: [{ url }] } }) } satisfies Behaviour,
    code: 'result_invalid',
  })),
  {
    what: 'sends text as the picture',
    behaviour: { file: (response) => (response.writeHead(200).end('hello'), true) },
    code: 'result_invalid',
  },
  {
    what: 'sends an empty picture',
    behaviour: { file: (response) => (response.writeHead(200).end(), true) },
    code: 'result_invalid',
  },
  {
    what: 'cuts the picture off',
    behaviour: {
      file: (response) => (response.writeHead(200, { 'content-length': '5000' }).write('x'), response.destroy(), true),
    },
    code: 'result_invalid',
  },
  {
    what: 'leads to a private address',
    behaviour: { file: (response) => (response.writeHead(302, { location: 'http://10.0.0.1/x' }).end(), true) },
    code: 'result_invalid',
  },
];

describe.each(toolIds)('when the provider of %s', (tool: ToolId) => {
  const prompt = 'prompt' in tools[tool].fields ? 'on marble' : undefined;
  const options = { tool, ...(prompt !== undefined && { prompt }) };

  it.each(cases)(
    '$what, the generation fails with $code and the credits come back',
    async ({ behaviour, code, message }) => {
      const user = await makeUser(app, { credits: 3 });
      app.provider.behave(behaviour);
      const done = await ended(user, (await makeGeneration(user, options)).id);
      expect(done).toMatchObject({ status: 'failed', refunded: true, result: null });
      expect(done.error).toEqual({ code, message: message ?? tools[tool].says.failed });
      expect(await user.credits()).toBe(3);
      expect((await user.ledger()).map((entry) => entry.reason)).toEqual(['refund', 'debit', 'adjustment']);
    },
  );

  it('loses the answer to the submit, it is not asked twice', async () => {
    const user = await makeUser(app, { credits: 3 });
    const before = app.provider.submits.length;
    app.provider.behave({ submit: (response) => (response.destroy(), true) });
    const done = await ended(user, (await makeGeneration(user, options)).id);
    expect(done.error?.code).toBe('provider_failed');
    expect(app.provider.submits.length - before).toBe(1);
    expect(await user.credits()).toBe(3);
  });

  it('works, the result is kept and the wire is as the specification says', async () => {
    const user = await makeUser(app, { credits: 3 });
    const done = await ended(user, (await makeGeneration(user, options)).id);
    expect(done.status).toBe('succeeded');
    const job = app.provider.submits.at(-1);
    expect(job?.headers.authorization).toBe('Key key:of-the-test');
    expect(job?.headers['x-fal-queue-priority']).toBe('normal');
    expect(String(job?.input.image_url)).toMatch(/^data:image\/jpeg;base64,/);
    const { image_url: _image, ...rest } = job?.input ?? {};
    const expected = prompt === undefined ? {} : { prompt, refine_prompt: true, fast: true, num_images: 1 };
    expect(rest).toEqual(expected);
  });
});

describe('a large picture', () => {
  it('goes to the storage of the provider instead of a data URL', async () => {
    const user = await makeUser(app, { credits: 1 });
    const { default: sharp } = await import('sharp');
    const noise = await sharp({
      create: {
        width: 1400,
        height: 1400,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    await ended(user, (await makeGeneration(user, { image: noise })).id);
    expect(app.provider.submits.at(-1)?.input.image_url).toBe(`${app.provider.url}/file.png`);
  });
});

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fc00::1',
    '2002:a00:1::',
    '64:ff9b::a00:1',
    'localhost',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe('after all failures', () => {
  it('the ledger is sound', async () => {
    expect(await makePicture()).toBeInstanceOf(Buffer);
    expect(await auditLedger(app.db)).toEqual([]);
  });
});
