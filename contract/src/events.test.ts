import { describe, expect, it } from 'vitest';
import { type EventName, eventSchemas } from './events.ts';

const progress = { message: 'Removing background...', percent: null };
const counts = { total: 2, queued: 1, running: 0, succeeded: 1, failed: 0, canceled: 0 };
const generation = { id: 'g1', tool: 'remover', status: 'running', progress, error: null, refunded: false };
const failed = { ...generation, status: 'failed', error: { code: 'provider_timeout', message: 'Timed out.' } };

/** Valid events by name. Its type has the schemas' names, so a new event needs an example here. */
const valid: Record<EventName, object[]> = {
  hello: [{ credits: 0, serverTime: '2026-01-02T03:04:05.678Z' }],
  credits: [{ credits: 9, entryId: 'e1' }],
  generation: [generation, failed, { ...generation, runId: 'r1', progress: { message: '', percent: 100 } }],
  media: [
    { action: 'created', id: 'm1' },
    { action: 'expired', id: 'm1' },
  ],
  purchase: [{ id: 'p1', status: 'paid' }],
  run: [{ id: 'r1', status: 'open', counts }],
  session: [{ state: 'ended' }, { state: 'ended', reason: 'account_deleted' }],
  resync: [{}],
};

/** Malformed events that the browser must reject, so that no partial data reaches its cache. */
const invalid: Record<Exclude<EventName, 'resync'>, object[]> = {
  hello: [{ credits: -1, serverTime: '2026-01-02T03:04:05Z' }, { credits: 1, serverTime: 'now' }, { credits: 1 }],
  credits: [{ credits: 1.5, entryId: 'e1' }, { credits: -1, entryId: 'e1' }, { credits: 1 }],
  generation: [
    { ...generation, status: 'done' },
    { ...generation, tool: 'no-tool' },
    { ...generation, progress: { message: '', percent: 101 } },
    { ...failed, error: { code: 'unknown', message: '' } },
    { ...generation, refunded: undefined },
  ],
  media: [{ action: 'moved', id: 'm1' }, { action: 'created' }],
  purchase: [{ id: 'p1', status: 'free' }],
  run: [
    { id: 'r1', status: 'queued', counts },
    { id: 'r1', status: 'open', counts: { ...counts, total: undefined } },
  ],
  session: [{ state: 'begun' }, { state: 'ended', reason: 'bored' }],
};

const each = <Name extends string>(bodies: Record<Name, object[]>) =>
  (Object.entries(bodies) as [Name, object[]][]).flatMap(([name, list]) =>
    list.map((body): [Name, object] => [name, body]),
  );

describe('a live event', () => {
  it.each(each(valid))('%s is accepted: %j', (name, body) => {
    expect(eventSchemas[name].safeParse(body).success).toBe(true);
  });

  it.each(each(invalid))('%s is rejected: %j', (name, body) => {
    expect(eventSchemas[name].safeParse(body).success).toBe(false);
  });

  it('may have fields that a newer server adds', () => {
    expect(eventSchemas.credits.safeParse({ credits: 1, entryId: 'e1', colour: 'red' }).success).toBe(true);
  });
});
