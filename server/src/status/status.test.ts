import { expect, it } from 'vitest';
import { readParts } from './status.ts';

it('a part that throws or does not answer is down, one that answers late is slow', { tags: ['slow'] }, async () => {
  const after = (ms: number) => new Promise<'up'>((resolve) => setTimeout(resolve, ms, 'up').unref());
  const states = await readParts({
    engine: () => after(0),
    payments: () => after(1300),
    storage: () => Promise.reject(new Error('gone')),
    queue: () => after(60_000),
  });
  expect(states).toEqual({ engine: 'up', payments: 'slow', storage: 'down', queue: 'down' });
});
