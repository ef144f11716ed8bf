import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { generationSchema } from '@plinth/contract/generations';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallApi } from '../src/mcp/api-client.ts';
import { MAX_LARGE_REQUESTS } from '../src/mcp/routes.ts';
import { runTool } from '../src/mcp/tools.ts';
import { cutouts } from './cutouts.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeKey, makePicture, makeUser, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem } from './wire.ts';

/** An agent: the unmodified client of the protocol's own package. */

let app: TestApp;
let user: TestUser;
let other: TestUser;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 20 });
  other = await makeUser(app, { credits: 1 });
  client = await connect((await makeKey(app, user)).secret);
});
afterAll(async () => {
  await client.close();
  await app.close();
});

async function connect(secret: string): Promise<Client> {
  const made = new Client({ name: 'a test', version: '1' });
  const headers = { authorization: `Bearer ${secret}` };
  await made.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }));
  return made;
}

const call = async (name: string, args: object, onprogress?: (progress: Progress) => void) =>
  (await client.callTool(
    { name, arguments: args as Record<string, unknown> },
    undefined,
    onprogress && { onprogress },
  )) as CallToolResult;
const picture = async () => (await makePicture()).toString('base64');
const textOf = ({ content }: CallToolResult) =>
  content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join();

describe('an agent', () => {
  it('finds seven tools, each with its arguments', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])).toEqual([
      ['remove_background', ['image', 'media']],
      ['place_product', ['image', 'media', 'prompt']],
      ['make_video', ['image', 'media', 'prompt']],
      ['check_listing', ['image', 'media', 'pack']],
      ['export_pack', ['media', 'pack', 'look']],
      ['get_generation', ['id']],
      ['get_credits', []],
    ]);
  });

  it('cuts a product out, receives progress, and reuses the result', async () => {
    const updates: Progress[] = [];
    const cutout = await cutouts['a hard circle']?.();
    const file = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(cutout);
      return true;
    };
    app.provider.behave({ polls: 20, file });
    const cut = await call('remove_background', { image: await picture() }, (progress) => void updates.push(progress));
    app.provider.behave({});
    const generation = generationSchema.parse(cut.structuredContent);
    expect([generation.tool, generation.status, generation.cost]).toEqual(['remover', 'succeeded', 1]);
    expect(updates[0]).toMatchObject({ progress: 0, message: 'Removing background...' });
    expect(cut.content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
    const mediaId = generation.result?.mediaId;
    const again = await call('make_video', { media: mediaId });
    expect(again.structuredContent).toMatchObject({ tool: 'basic-image-to-video', status: 'succeeded' });
    const exported = await call('export_pack', { media: mediaId, pack: 'transparent-png' });
    expect(exported.structuredContent).toMatchObject({
      contentType: 'image/png',
      filename: expect.stringMatching(/png$/),
    });
    const shot = await call('export_pack', { media: mediaId, pack: 'packshot' });
    expect(shot.structuredContent).toMatchObject({
      contentType: 'image/jpeg',
      filename: expect.stringMatching(/-packshot\.jpg$/),
    });
    const none = await call('export_pack', { media: mediaId, pack: 'ebay', look: 'look_none' });
    expect([none.isError, none.content[0]]).toEqual([true, { type: 'text', text: 'This look does not exist.' }]);
    const [, shown] = exported.content;
    expect(shown?.type === 'image' && Buffer.from(shown.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const read = await call('get_generation', { id: generation.id });
    expect(read.structuredContent).toMatchObject({ id: generation.id });
    expect((await call('get_credits', {})).structuredContent).toEqual({ credits: await user.credits() });
  });

  it('makes the dearer video only where it says how it moves', async () => {
    const before = await user.credits();
    const plain = await call('make_video', { image: await picture() });
    expect(plain.structuredContent).toMatchObject({ tool: 'basic-image-to-video', status: 'succeeded', cost: 2 });
    const moved = await call('make_video', { image: await picture(), prompt: 'slow turn' });
    expect(moved.structuredContent).toMatchObject({ tool: 'image-to-video', status: 'succeeded', cost: 5 });
    expect(before - (await user.credits())).toBe(7);
  });

  it('has a picture checked for the marketplaces, and pays nothing', async () => {
    const before = await user.credits();
    const { structuredContent } = await call('check_listing', { image: `data:image/jpeg;base64,${await picture()}` });
    expect(structuredContent).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ pack: 'ebay' })]),
    });
    const own = await call('check_listing', { image: await picture(), pack: 'ebay' });
    expect(own.structuredContent).toEqual({ items: [expect.objectContaining({ pack: 'ebay' })] });
    expect(await user.credits()).toBe(before);
  });

  it('gets our sentence for an invalid call, and keeps its credits', async () => {
    const before = await user.credits();
    const foreign = await waitForEnd(other, (await makeGeneration(other)).id);
    const image = await picture();
    const cases: [name: string, given: object, sentence: string][] = [
      ['remove_background', {}, 'Please upload an image'],
      ['remove_background', { image: 'no picture' }, 'Failed to load image. Please try another file.'],
      ['remove_background', { image, media: 'med_x' }, 'The request could not be understood.'],
      ['remove_background', { image, size: 3 }, 'The request could not be understood.'],
      ['place_product', { image }, 'Please provide a scene description'],
      ...(['remove_background', 'place_product', 'make_video', 'check_listing', 'export_pack'] as const).flatMap(
        (name) =>
          [foreign.result?.mediaId, 'med_nothing', '', '..', '../credits', 'ünïcode'].map(
            (media): [string, object, string] => [
              name,
              {
                media,
                ...(name === 'place_product' && { prompt: 'oak' }),
                ...(name === 'export_pack' && { pack: 'ebay' }),
              },
              'Not found.',
            ],
          ),
      ),
      ['get_generation', { id: foreign.id }, 'Not found.'],
      ['get_generation', { id: 7 }, 'The request could not be understood.'],
      ['get_generation', { id: '../credits' }, 'Not found.'],
      ['check_listing', { media: '..' }, 'Not found.'],
      ['check_listing', { image, pack: 'no-shop' }, 'Not found.'],
      ['export_pack', { media: foreign.result?.mediaId, pack: 'shopify' }, 'Not found.'],
      ['buy_credits', {}, 'The request could not be understood.'],
    ];
    for (const [name, args, sentence] of cases) {
      const answer = await call(name, args);
      expect([name, answer.isError, textOf(answer)]).toEqual([name, true, sentence]);
    }
    expect(await user.credits()).toBe(before);
  });

  it('is told why a generation failed, and gets its credits back', async () => {
    const before = await user.credits();
    app.provider.behave({ status: () => ({ body: { status: 'FAILED' } }) });
    const answer = await call('remove_background', { image: await picture() });
    app.provider.behave({});
    expect([answer.isError, textOf(answer)]).toEqual([true, 'Failed to remove background. Try another image.']);
    expect(answer.structuredContent).toMatchObject({ status: 'failed', refunded: true });
    expect(await user.credits()).toBe(before);
  });
});

it('a slow generation is answered with its id, and continues', async () => {
  const key = await makeKey(app, user);
  // Like the endpoint's own client, but over HTTP.
  const callApi: CallApi = async (method, path, form) => {
    const answer = await key.fetch(`/api/v1${path}`, {
      method,
      headers: { 'idempotency-key': 'takes-long' },
      ...(form && { body: form }),
    });
    return { body: await answer.json(), bytes: Buffer.of(), contentType: 'application/json', filename: undefined };
  };
  const report = () => Promise.resolve();
  const once = { callApi, origin: app.url, report, waitMs: 0, signal: new AbortController().signal };
  const answer = await runTool(once, 'remove_background', { image: await picture() });
  expect(answer.isError).toBeUndefined();
  const { id } = generationSchema.parse(answer.structuredContent);
  expect((await waitForEnd(user, id)).status).toBe('succeeded');
});

describe('the endpoint', () => {
  const send = (headers: Record<string, string>, body: string) =>
    fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    });
  const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  it('opens for a key alone, never for a cookie', async () => {
    await expectProblem(await send({}, LIST), 'authentication_required');
    await expectProblem(await send({ cookie: user.cookie }, LIST), 'authentication_required');
    await expectProblem(await send({ authorization: 'Bearer plk_wrong' }, LIST), 'invalid_key');
    await expectProblem(await fetch(`${app.url}/mcp`), 'method_not_allowed');
  });

  it('states how to authenticate without a key or with a wrong one', async () => {
    for (const headers of [
      {},
      { cookie: user.cookie },
      { authorization: 'Basic eDp5' },
      { authorization: 'Bearer x' },
    ]) {
      const answer = await send(headers, LIST);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect((await fetch(`${app.url}/api/v1/credits`)).headers.get('www-authenticate')).toBeNull();
    for (const path of ['', '/mcp']) {
      const found = await fetch(`${app.url}/.well-known/oauth-protected-resource${path}`);
      expect([found.status, await found.json()]).toEqual([
        200,
        {
          resource: `${app.url}/mcp`,
          resource_name: 'Plinth',
          bearer_methods_supported: ['header'],
          resource_documentation: `${app.url}/developers`,
        },
      ]);
    }
    const client401 = new Client({ name: 'a test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`));
    await expect(client401.connect(transport)).rejects.toThrow(/401|Authentication required/);
  });

  it('limits concurrent pictures, and frees capacity for the next', async () => {
    const { secret } = await makeKey(app, user);
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const large = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { _meta: { text: 'x'.repeat(70_000) } },
    });
    // Each declares its length and sends nothing.
    const waiting = Array.from({ length: MAX_LARGE_REQUESTS }, () => {
      const one = httpRequest(`${app.url}/mcp`, { method: 'POST', headers: { ...headers, 'content-length': 100_000 } });
      one.on('error', () => undefined).flushHeaders();
      return one;
    });
    const answer = await waitUntil(
      () => send(headers, large),
      ({ status }) => status === 503,
    );
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
    await expectProblem(answer, 'temporarily_unavailable');
    for (const one of waiting) one.destroy();
    await waitUntil(
      () => send(headers, large),
      ({ status }) => status === 200,
    );
  });

  it('refuses what is no JSON, and what is larger than a picture', async () => {
    const { secret } = await makeKey(app, user);
    const headers = { authorization: `Bearer ${secret}` };
    await expectProblem(await send(headers, '{'), 'malformed_request');
    await expectProblem(await send(headers, `"${'x'.repeat(17_000_000)}"`), 'body_too_large');
  });

  // Millions of them occupied the process for ten seconds.
  it('refuses a body of many values, which is no picture', async () => {
    const { secret } = await makeKey(app, user);
    const items = JSON.stringify(Array.from({ length: 70_000 }, () => 0));
    for (const params of [`{"a":${items}}`, items, `{"a":${'['.repeat(70_000)}${']'.repeat(70_000)}}`]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`;
      await expectProblem(await send({ authorization: `Bearer ${secret}` }, body), 'body_too_large');
    }
  });
});
