import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contentTypes, type Tool } from '@plinth/contract/tool';
import { type ToolId, toolIds, tools } from '@plinth/contract/tools';
import { isPublicAddress } from '../src/platform/public-address.ts';
import { auditLedger } from '../src/credits/audit.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePicture, makeUser, waitForEnd } from './makers.ts';
import type { Behaviour } from './provider-script.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ PROVIDER_POLL_SCALE: '0.004' });
});
afterEach(() => app.provider.behave({}));
afterAll(() => app.close());

const json =
  (status: number, body: unknown): NonNullable<Behaviour['submit']> =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };

/** Labelled as JSON, but not JSON: a gateway's error page. */
const labelledJson =
  (status: number, text: string): NonNullable<Behaviour['submit']> =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    return true;
  };

/** How long the provider may keep pictures. */
const AN_HOUR = JSON.stringify({ expiration_duration_seconds: 3600 });

/** A head that promises more than follows. */
const breakOff: NonNullable<Behaviour['submit']> = (response, job) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write(`{"request_id":"${job.id}"`, () => response.destroy());
  return true;
};

type Case = {
  what: string;
  behaviour: Behaviour;
  code: string;
  message?: string;
  /** The kind of failure for which a tool may define its own sentence. */
  why?: keyof Tool['says']['failures'];
};

const cases: Case[] = [
  {
    what: 'answers the submit with 500',
    behaviour: { submit: json(500, {}) },
    code: 'provider_failed',
    why: 'submitStatus',
  },
  {
    what: 'calls an error page (500) JSON',
    behaviour: { submit: labelledJson(500, '<html>Internal error</html>') },
    code: 'provider_failed',
    why: 'submitStatus',
  },
  {
    what: 'answers 500 with null',
    behaviour: { submit: labelledJson(500, 'null') },
    code: 'provider_failed',
    why: 'submitStatus',
  },
  {
    what: 'answers every status with 500',
    behaviour: { status: () => ({ httpStatus: 500, body: {} }) },
    code: 'provider_failed',
    why: 'checkStatus',
  },
  {
    what: 'answers the status with 501',
    behaviour: { status: () => ({ httpStatus: 501, body: {} }) },
    code: 'provider_failed',
    why: 'checkStatus',
  },
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
    behaviour: { submit: json(422, { detail: [{ loc: ['body', 'image_url'], msg: '<b>no</b>' }] }) },
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
    why: 'notFound',
  },
  {
    what: 'never finishes',
    behaviour: { status: () => ({ body: { status: 'IN_PROGRESS' } }) },
    code: 'provider_timeout',
    why: 'timeout',
  },
  {
    what: 'never begins',
    behaviour: { status: () => ({ body: { status: 'IN_QUEUE' } }) },
    code: 'provider_timeout',
    why: 'timeout',
  },
  {
    what: 'refuses at the result',
    behaviour: {
      result: () => ({ httpStatus: 422, body: { detail: [{ loc: ['body', 'image_url'], msg: 'No product found.' }] } }),
    },
    code: 'provider_rejected',
    message: 'No product found.',
  },
  {
    what: 'completes with an error and says why at the result',
    behaviour: {
      status: () => ({ body: { status: 'COMPLETED', error: 'x' } }),
      result: () => ({
        httpStatus: 422,
        body: { detail: [{ loc: ['body', 0], msg: 'We could not tell the product.' }] },
      }),
    },
    code: 'provider_rejected',
    message: 'We could not tell the product.',
  },
  {
    what: 'answers an error body as if it were a result',
    behaviour: { result: () => ({ body: { detail: [{ loc: ['body', 'prompt'], msg: 'Moderation.' }] } }) },
    code: 'provider_failed',
  },
  {
    what: 'refuses with a bare sentence, which may name a host of its own',
    behaviour: { result: () => ({ httpStatus: 422, body: { detail: 'worker-3.internal.example is out of memory' } }) },
    code: 'provider_failed',
  },
  {
    what: 'has no file address',
    behaviour: { result: () => ({ body: { images: [], image: null, video: {} } }) },
    code: 'result_missing',
    why: 'noUrl',
  },
  { what: 'answers null', behaviour: { result: () => ({ body: null }) }, code: 'result_missing', why: 'noUrl' },
  ...[
    'http://127.0.0.1:1/x.png',
    'http://169.254.169.254/latest',
    'https://[::1]/x.png',
    'file:///etc/passwd',
    'not a url',
  ].map((url) => ({
    what: `points to ${url}`,
    behaviour: { result: () => ({ body: { image: { url }, images: [{ url }], video: { url } } }) } satisfies Behaviour,
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

/** One case per kind, since a tool's own sentence is for a kind of failure. */
const oneOfEachKind = cases.filter(
  ({ code, why }, at) => cases.findIndex((other) => other.code === code && other.why === why) === at,
);
/** One tool for pictures and one for videos cover all cases: answers are checked by their type. */
const meetAll = (['png', 'mp4'] as const).map((type) => toolIds.find((id) => tools[id].file.type === type));

describe.each(toolIds)('when the provider of %s', (id: ToolId) => {
  const tool: Tool = tools[id];
  const options = { tool: id, prompt: 'on marble' };
  const credits = 10;
  const meetsAll = meetAll.includes(id);

  it.each(meetsAll ? cases : oneOfEachKind)(
    '$what, the generation fails with $code and the credits come back',
    { tags: id === meetAll[0] ? [] : ['slow'] },
    async ({ what, behaviour, code, message, why }) => {
      const user = await makeUser(app, { credits });
      app.provider.behave(behaviour);
      const done = await waitForEnd(user, (await makeGeneration(user, options)).id);
      expect(done).toMatchObject({ status: 'failed', refunded: true, result: null });
      const own = why && tool.says.failures[why]?.replace('{status}', what.includes('501') ? '501' : '500');
      expect(done.error).toEqual({ code, message: message ?? own ?? tool.says.failed });
      expect(await user.credits()).toBe(credits);
      expect((await user.ledger()).map((entry) => entry.reason)).toEqual(['refund', 'debit', 'adjustment']);
    },
  );

  it('is overloaded or fails temporarily, the call is repeated', async () => {
    const user = await makeUser(app, { credits });
    const before = app.provider.submits.length;
    let refusals = 0;
    const stumble = [500, 502, 503, 429];
    let fetches = 0;
    app.provider.behave({
      file: (response) => {
        fetches += 1;
        if (fetches === 1) response.writeHead(503).end();
        if (fetches === 2) void (response.writeHead(200, { 'content-length': '5000' }).write('x'), response.destroy());
        return fetches < 3;
      },
      submit: (response, job) => (refusals += 1) < 3 && json(503, {})(response, job),
      status: (job) => {
        const httpStatus = stumble[job.polls - 1];
        return httpStatus === undefined ? { body: { status: 'COMPLETED' } } : { httpStatus, body: {} };
      },
    });
    const done = await waitForEnd(user, (await makeGeneration(user, options)).id);
    expect(done.status, JSON.stringify(done.error)).toBe('succeeded');
    expect(app.provider.submits.length - before).toBe(3);
    app.provider.behave({});
  });

  it.each<[string, NonNullable<Behaviour['submit']>]>([
    ['loses the answer to a submit', (response) => (response.destroy(), true)],
    ['breaks off in the answer to a submit', breakOff],
    ['sends a submit elsewhere', (response) => (response.writeHead(307, { location: '/elsewhere' }).end(), true)],
  ])('%s, the submit is not repeated', async (_what, submit) => {
    const user = await makeUser(app, { credits });
    const before = app.provider.submits.length;
    app.provider.behave({ submit });
    const done = await waitForEnd(user, (await makeGeneration(user, options)).id);
    expect(done.error).toEqual({ code: 'provider_failed', message: tool.says.failed });
    expect(app.provider.submits.length - before).toBe(1);
    expect(await user.credits()).toBe(credits);
  });

  it('works, it receives all inputs, and the result is stored unchanged', async () => {
    const user = await makeUser(app, { credits });
    const done = await waitForEnd(user, (await makeGeneration(user, options)).id);
    expect(done.status, JSON.stringify(done.error)).toBe('succeeded');
    expect(await user.credits()).toBe(credits - tool.cost);
    const job = app.provider.submits.at(-1);
    expect(job?.headers.authorization).toBe('Key key:of-the-test');
    expect(job?.headers).toMatchObject({
      'x-fal-queue-priority': 'normal',
      'x-fal-store-io': '0',
      'x-fal-object-lifecycle-preference': AN_HOUR,
    });
    const sent = JSON.stringify(job?.input);
    const kinds = Object.values(tool.fields).map(({ kind }) => kind);
    const pictures = kinds.filter((kind) => kind === 'image' || kind === 'model');
    expect(sent.match(/data:image\/jpeg;base64,/g)).toHaveLength(pictures.length);
    expect(sent.includes(options.prompt)).toBe(kinds.includes('text'));
    const { mediaType, file } = tool;
    expect(done.result).toMatchObject({ mediaType, contentType: contentTypes[file.type] });
    expect(done.result?.originalFilename).toMatch(new RegExp(`^${file.name}-\\d{13}\\.${file.type}$`));
    const bytes = await user.fetch(done.result?.contentUrl ?? '');
    expect(bytes.headers.get('content-type')).toBe(contentTypes[file.type]);
    expect((await bytes.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });
});

describe('a large picture', () => {
  const makeNoise = async () => {
    const { default: sharp } = await import('sharp');
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 1400, height: 1400, channels: 3, background: '#808080', noise } as const;
    return sharp({ create }).jpeg({ quality: 95 }).toBuffer();
  };

  it('goes to the storage of the provider instead of a data URL, for an hour', async () => {
    let lifecycle: unknown;
    app.provider.behave({ upload: (_response, headers) => ((lifecycle = headers['x-fal-object-lifecycle']), false) });
    const user = await makeUser(app, { credits: 1 });
    await waitForEnd(user, (await makeGeneration(user, { image: await makeNoise() })).id);
    expect(app.provider.submits.at(-1)?.input.image_url).toBe(`${app.provider.url}/file.png`);
    expect(lifecycle).toBe(AN_HOUR);
  });

  it('is not sent to a storage elsewhere', async () => {
    let visits = 0;
    const elsewhere = createServer((_request, response) => void ((visits += 1), response.end()));
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/put`;
    const answer = JSON.stringify({ upload_url: url, file_url: url });
    app.provider.behave({
      upload: (response) => (response.writeHead(200, { 'content-type': 'application/json' }).end(answer), true),
    });
    const user = await makeUser(app, { credits: 1 });
    const { error } = await waitForEnd(user, (await makeGeneration(user, { image: await makeNoise() })).id);
    elsewhere.close();
    expect([error?.code, visits]).toEqual(['provider_failed', 0]);
  });

  it.each([500, 404])('that the storage rejects with %d prevents the submit', async (status) => {
    app.provider.behave({ upload: (response) => (response.writeHead(status).end(), true) });
    const user = await makeUser(app, { credits: 5 });
    const options = { tool: 'image-to-video', prompt: 'closer', image: await makeNoise() };
    const { error } = await waitForEnd(user, (await makeGeneration(user, options)).id);
    app.provider.behave({});
    expect(error).toEqual({ code: 'provider_failed', message: `Failed to start video generation (${status})` });
  });
});

describe('a job in the queue of the provider', () => {
  it('keeps the time that it gets to run', async () => {
    const { tries } = tools.remover.patience;
    const [queued, running] = [tries + 10, tries - 5];
    const status = ({ polls }: { polls: number }) => {
      if (polls <= queued) return { body: { status: 'IN_QUEUE', queue_position: 1 } };
      return { body: { status: polls <= queued + running ? 'IN_PROGRESS' : 'COMPLETED' } };
    };
    app.provider.behave({ status });
    const user = await makeUser(app, { credits: 1 });
    const { status: end, error } = await waitForEnd(user, (await makeGeneration(user)).id);
    app.provider.behave({});
    expect([end, error]).toEqual(['succeeded', null]);
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
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
    '127.1',
    '::',
    '::1',
    '::8.8.8.8',
    '2001::1',
    '2001:db8::1',
    '4000::1',
    'fec0::1',
    'ff02::1',
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
