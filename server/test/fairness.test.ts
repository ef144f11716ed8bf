import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePicture, makeUser, waitForEnd, waitUntil } from './makers.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MAX_INFLIGHT_PER_USER: '100', PROVIDER_POLL_SCALE: '0.5' });
});
afterAll(() => app.close());

/** The provider's concurrency limit, and the number of generations queued behind it. */
const [SLOTS, WAITING] = [20, 20];

it('a user’s first picture precedes those of a user with many in progress', { tags: ['slow'] }, async () => {
  const [busy, other] = [await makeUser(app, { credits: 40 }), await makeUser(app, { credits: 1 })];
  const image = await makePicture();
  app.provider.behave({ polls: 1_000_000 });
  const many = await Promise.all(Array.from({ length: SLOTS + WAITING }, () => makeGeneration(busy, { image })));
  await waitUntil(
    async () => app.provider.submits.length,
    (count) => count === SLOTS,
  );
  const one = await makeGeneration(other, { tool: 'text-to-image', prompt: 'on a shelf', image });
  app.provider.behave({ polls: 0 });
  expect((await waitForEnd(other, one.id)).status).toBe('succeeded');
  for (const { id } of many) expect((await waitForEnd(busy, id)).status).toBe('succeeded');
  const scenes = app.provider.submits.map(({ input }) => 'bg_prompt' in input || 'prompt' in input);
  // Several slots are free at once, so some of those behind may overtake it on the way to the provider.
  expect(scenes.indexOf(true)).toBeLessThan(SLOTS + WAITING / 2);
});
