import { describe, expect, it } from 'vitest';
import { generationStatuses, isTerminal } from './generations.ts';
import { isSku } from './runs.ts';
import { runCountsSchema } from './run-progress.ts';

describe('an article number', () => {
  it.each(['A-1', 'mug_blue.2026', '0', '-', '...', 'a'.repeat(64)])('may be %j', (text) => {
    expect(isSku(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    'a b',
    'a/b',
    'a\\b',
    '../mug',
    'C:mug',
    'mug\n',
    'mug\u0000',
    'Tässchen',
    '🍵',
    'a'.repeat(65),
  ])('is no folder of an archive, and so cannot be %j', (text) => {
    expect(isSku(text)).toBe(false);
  });
});

describe('the counts of a run', () => {
  const none = { total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 0 };

  it.each(generationStatuses)('name %s, and it cannot be negative', (status) => {
    expect(runCountsSchema.safeParse({ ...none, [status]: 3 }).success).toBe(true);
    expect(runCountsSchema.safeParse({ ...none, [status]: -1 }).success).toBe(false);
    expect(runCountsSchema.safeParse({ ...none, [status]: undefined }).success).toBe(false);
  });
});

it('isTerminal is true for ended generations', () => {
  expect(generationStatuses.filter(isTerminal)).toEqual(['succeeded', 'failed', 'canceled']);
});
