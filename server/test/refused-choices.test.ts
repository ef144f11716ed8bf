import { randomUUID } from 'node:crypto';
import type { ToolList } from '@plinth/contract/generations';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makePicture, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

const DAY_MS = 86_400_000;
const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };
const TOOL = 'image-to-video';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ PROVIDER_POLL_SCALE: '0.004' }, clock);
});
afterEach(() => app.provider.behave({}));
afterAll(() => app.close());

async function send(user: TestUser, texts: Record<string, string>): Promise<Response> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' }), 'photo.jpg');
  for (const [name, value] of Object.entries({ prompt: 'closer', ...texts })) form.set(name, value);
  const headers = { 'idempotency-key': randomUUID() };
  return user.fetch(`/api/v1/tools/${TOOL}/generations`, { method: 'POST', headers, body: form });
}

async function sendToEnd(user: TestUser, texts: Record<string, string>) {
  const { id } = (await (await send(user, texts)).json()) as { id: string };
  return waitForEnd(user, id);
}

/** The model rejects a field, either at the submit or with its result. */
function refuse(field: string, at: 'submit' | 'result'): void {
  const body = { detail: [{ loc: ['body', field], msg: 'Not supported.', type: 'literal_error' }] };
  app.provider.behave(
    at === 'result'
      ? { result: () => ({ httpStatus: 422, body }) }
      : {
          submit: (response) => {
            response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(body));
            return true;
          },
        },
  );
}

async function offered(user: TestUser, name: string) {
  const { items } = await user.get<ToolList>('/api/v1/tools');
  const field = items.find(({ id }) => id === TOOL)?.fields.find((one) => one.name === name);
  return field && { options: field.options, default: field.default };
}

it.each([
  ['submit', '9:16', ['1:1', '16:9'], '16:9'],
  ['result', '16:9', ['1:1'], '1:1'],
] as const)(
  'a ratio that the model refuses at the %s is returned, and not offered for a day',
  async (at, ratio, left, next) => {
    const user = await makeUser(app, { credits: 50 });
    refuse('aspect_ratio', at);
    expect(await sendToEnd(user, { aspectRatio: ratio })).toMatchObject({
      status: 'failed',
      error: { code: 'provider_rejected' },
    });
    expect(await user.credits()).toBe(50);
    app.provider.behave({});
    expect(await offered(user, 'aspectRatio')).toEqual({ options: left, default: next });
    await expectProblem(await send(user, { aspectRatio: ratio }), 'invalid_option');
    expect(await user.credits()).toBe(50);
    expect(await sendToEnd(user, {})).toMatchObject({ status: 'succeeded' });
    expect(app.provider.submits.at(-1)?.input.aspect_ratio).toBe(next);
  },
);

it('offers it again after a day', async () => {
  clock.offsetMs = DAY_MS + 60_000;
  const user = await makeUser(app);
  expect(await offered(user, 'aspectRatio')).toEqual({ options: ['1:1', '16:9', '9:16'], default: '16:9' });
});

it('still offers a rejected length, because its default has another price', async () => {
  const user = await makeUser(app, { credits: 50 });
  const before = await offered(user, 'duration');
  refuse('duration', 'submit');
  await sendToEnd(user, { duration: '5' });
  expect(await user.credits()).toBe(50);
  app.provider.behave({});
  expect(await offered(user, 'duration')).toEqual(before);
  await sendToEnd(user, {});
  expect(await user.credits()).toBe(45);
});

it('still offers choices that accompanied a rejected picture or text', async () => {
  const user = await makeUser(app, { credits: 50 });
  const before = await offered(user, 'aspectRatio');
  for (const field of ['image_url', 'prompt', 'seed']) {
    refuse(field, 'submit');
    await sendToEnd(user, { aspectRatio: '9:16' });
  }
  expect(await offered(user, 'aspectRatio')).toEqual(before);
  expect(await user.credits()).toBe(50);
});

it('lets an open run continue with the default instead of a choice rejected meanwhile', async () => {
  clock.offsetMs += 2 * DAY_MS;
  const user = await makeUser(app, { credits: 50 });
  const body = { name: 'Clips', tool: TOOL, fields: { prompt: 'closer', aspectRatio: '9:16' }, packs: [] };
  const begun = await user.fetch('/api/v1/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  const run = (await begun.json()) as { id: string };
  refuse('aspect_ratio', 'submit');
  await sendToEnd(user, { aspectRatio: '9:16' });
  app.provider.behave({});
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' }), 'photo.jpg');
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await user.fetch(`/api/v1/runs/${run.id}/items`, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(202);
  const { generation } = (await answer.json()) as { generation: { id: string } };
  expect(await waitForEnd(user, generation.id)).toMatchObject({ status: 'succeeded' });
  expect(app.provider.submits.at(-1)?.input.aspect_ratio).toBe('16:9');
});
