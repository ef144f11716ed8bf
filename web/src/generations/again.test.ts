import { expect, test } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import { makeGeneration, makeResult } from '../../test/makers.ts';
import { decideAgain } from './again.ts';
import type { Change } from './form-fingerprint.ts';

const now = Date.parse('2026-11-21T11:00:00.000Z');
type Kind = 'built-in' | 'provider';
const servedBy = (kind: Kind) => ({ servedBy: { kind, name: '' } }) as ToolEntry;
const done = (understood?: string[], redosLeft = 3) =>
  makeGeneration({
    status: 'succeeded',
    redosLeft,
    result: { ...makeResult(), ...(understood && { understood, notDrawn: [] }) },
  });
const SAME = {};
const ONE = { variants: ['0'], isShort: false };
const decide = (generation: ReturnType<typeof done>, change: Change | null = SAME, kind: Kind = 'built-in', at = now) =>
  decideAgain({ generation, change, entry: servedBy(kind), press: ONE, isMade: false, isAsking: false, now: at });
const AFTER_A_DAY = now + 25 * 3_600_000;

test('another picture is new, whatever stands on the stage', () => {
  expect(decide(done(['marble']), null)).toBe('new');
  const empty = { generation: null, change: SAME, press: ONE, isMade: false, isAsking: false, now };
  expect(decideAgain({ ...empty, entry: undefined })).toBe('new');
});

test('what was made is not sold again beside an empty stage or another picture, unless a provider varies it', () => {
  for (const generation of [null, done(['marble'])]) {
    const made = { generation, change: null, press: ONE, isMade: true, isAsking: false, now };
    expect(decideAgain({ ...made, entry: servedBy('built-in') })).toBe('same picture');
    expect(decideAgain({ ...made, entry: servedBy('provider') })).toBe('new');
  }
});

test('what is asked comes first, but for a photo that was refused already', () => {
  const asking = { entry: servedBy('built-in'), press: ONE, isMade: false, isAsking: true, now };
  const refused = makeGeneration({ status: 'failed', error: { code: 'provider_rejected', message: '' } });
  expect(decideAgain({ ...asking, generation: null, change: null })).toBe('unanswered');
  expect(decideAgain({ ...asking, generation: done(), change: null })).toBe('unanswered');
  expect(decideAgain({ ...asking, generation: refused, change: SAME })).toBe('same refusal');
});

test('other words, marks or another place are a free try while there are some, and then a new picture', () => {
  for (const change of [{ prompt: 'sand' }, { marks: { box: [0, 0, 1, 1] } }, { placement: { scale: 2 } }]) {
    expect(decide(done(['marble']), change)).toBe('free change');
    expect(decide(done(), change)).toBe('free change');
    expect(decide(done(['marble'], 0), change)).toBe('new');
    expect(decide(done(['marble']), change, 'built-in', AFTER_A_DAY)).toBe('new');
    expect(decide(done(['marble']), change, 'provider')).toBe('new');
  }
});

test('the same form has free versions while there are tries, then it would be the same picture', () => {
  expect(decide(done(['marble']))).toBe('free version');
  expect(decide(done(['marble'], 0))).toBe('same picture');
  expect(decide(done(['marble']), SAME, 'built-in', AFTER_A_DAY)).toBe('same picture');
  expect(decide(done())).toBe('same picture');
});

test('a free try that came to nothing is never sold: it leads back to what can be tried again', () => {
  for (const status of ['canceled', 'failed'] as const) {
    const ended = makeGeneration({ status, redoOf: 'gen_0', cost: 0 });
    for (const change of [SAME, { prompt: 'sand' }]) expect(decide(ended, change)).toBe('earlier');
    expect(decide(ended, null)).toBe('new');
  }
});

test('a provider makes another picture of the same form', () => {
  expect(decide(done(), SAME, 'provider')).toBe('new');
});

test('what was returned would come again; with something changed it is a new picture', () => {
  const returned = makeGeneration({ status: 'succeeded', refunded: true, returned: true });
  expect(decide(returned)).toBe('same return');
  expect(decide(returned, { prompt: 'sand' })).toBe('new');
  expect(decide(returned, SAME, 'provider')).toBe('new');
});

test('a refused photo is refused again, whoever serves the tool; what failed otherwise may be tried again', () => {
  const failed = (code: 'provider_rejected' | 'provider_failed') =>
    makeGeneration({ status: 'failed', refunded: true, error: { code, message: 'no' } });
  expect(decide(failed('provider_rejected'), SAME, 'provider')).toBe('same refusal');
  expect(decide(failed('provider_rejected'), { marks: {} })).toBe('new');
  expect(decide(failed('provider_failed'))).toBe('new');
});
