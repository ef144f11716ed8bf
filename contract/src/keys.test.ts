import { describe, expect, it } from 'vitest';
import { isForKeys } from './keys.ts';
import { WEBHOOK_RETRY_SECONDS } from './webhooks.ts';

describe('a key', () => {
  it.each([
    '/api/v1/tools',
    '/api/v1/tools/remover/generations',
    '/api/v1/generations/gen_1',
    '/api/v1/subject',
    '/api/v1/looks/look_1',
    '/api/v1/media/med_1/content',
    '/api/v1/credits/statement',
    '/api/v1/events',
    '/api/v1/webhook-endpoints/whe_1/test',
    '/mcp',
  ])('will do for %s', (path) => expect(isForKeys(path)).toBe(true));

  // A leaked key can neither create keys nor buy anything, nor read or delete the account.
  it.each([
    '/api/v1/keys',
    '/api/v1/keys/key_1',
    '/api/v1/session',
    '/api/v1/sessions',
    '/api/v1/purchases',
    '/api/v1/account',
    '/api/v1/account/export',
    '/api/v1/auth/password',
    '/api/v1/mediaother',
    '/api/v2/media',
    '/x/api/v1/media',
    '/mcp/other',
    '/',
  ])('will not do for %s', (path) => expect(isForKeys(path)).toBe(false));
});

it('a message is retried at growing intervals, for three days', () => {
  const waits = [...WEBHOOK_RETRY_SECONDS];
  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(waits[0]).toBe(5);
  const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(72);
  expect(hours).toBeLessThan(76);
});
