import { expect, test } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import { makeGeneration, makeResult } from '../../test/makers.ts';
import { decideAgain } from './again.ts';

const now = Date.parse('2026-11-21T11:00:00.000Z');
const servedBy = (kind: 'built-in' | 'provider') => ({ servedBy: { kind, name: '' } }) as ToolEntry;
const done = (understood?: string[], redosLeft = 3) =>
  makeGeneration({
    status: 'succeeded',
    redosLeft,
    result: { ...makeResult(), ...(understood && { understood, notDrawn: [] }) },
  });
const decide = (generation: ReturnType<typeof done>, isMadeFrom = true, entry = servedBy('built-in'), at = now) =>
  decideAgain({ generation, isMadeFrom, isOfOtherWords: false, entry, now: at });

test('a changed form is new, whatever stands on the stage', () => {
  expect(decide(done(['marble']), false)).toBe('new');
  const nothing = { generation: null, isMadeFrom: true, isOfOtherWords: false, entry: undefined, now };
  expect(decideAgain(nothing)).toBe('new');
});

test('other words are a free try while there are some, and then a new picture', () => {
  const decideWords = (generation: ReturnType<typeof done>, kind: 'built-in' | 'provider' = 'built-in', at = now) =>
    decideAgain({ generation, isMadeFrom: false, isOfOtherWords: true, entry: servedBy(kind), now: at });
  expect(decideWords(done(['marble']))).toBe('free words');
  expect(decideWords(done(['marble'], 0))).toBe('new');
  expect(decideWords(done(['marble']), 'built-in', now + 25 * 3_600_000)).toBe('new');
  expect(decideWords(done(['marble']), 'provider')).toBe('new');
  expect(decideWords(done())).toBe('new');
});

test('the same form has free versions while there are tries, then it would be the same picture', () => {
  expect(decide(done(['marble']))).toBe('free version');
  expect(decide(done(['marble'], 0))).toBe('same picture');
  expect(decide(done(['marble']), true, servedBy('built-in'), now + 25 * 3_600_000)).toBe('same picture');
  expect(decide(done())).toBe('same picture');
});

test('a provider makes another picture of the same form', () => {
  expect(decide(done(), true, servedBy('provider'))).toBe('new');
});

test('a refused photo is refused again, whoever serves the tool; what failed otherwise may be tried again', () => {
  const failed = (code: 'provider_rejected' | 'provider_failed') =>
    makeGeneration({ status: 'failed', refunded: true, error: { code, message: 'no' } });
  expect(decide(failed('provider_rejected'), true, servedBy('provider'))).toBe('same refusal');
  expect(decide(failed('provider_failed'))).toBe('new');
});
