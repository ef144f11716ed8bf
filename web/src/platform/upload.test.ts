// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { json, startServer } from '../../test/server.ts';
import { sendWithProgress } from './upload.ts';

test('what was stopped before it was sent is not sent', async () => {
  const { origin, asked } = await startServer({ 'POST /x': json({}) });
  const init = { body: new FormData(), signal: AbortSignal.abort() };
  await sendWithProgress(`${origin}/x`, init, () => {}).catch(() => undefined);
  expect(asked).toEqual([]);
  await expect(sendWithProgress(`${origin}/x`, init, () => {})).rejects.toMatchObject({ name: 'AbortError' });
});
