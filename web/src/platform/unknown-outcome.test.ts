import { expect, test } from 'vitest';
import { errors } from '@plinth/contract/errors';
import { ApiError } from './api.ts';
import { isOutcomeUnknown } from './api.ts';

const refused = (code: keyof typeof errors) => new ApiError(code, '', { status: errors[code].status });

test('what was not refused may have been accepted', () => {
  expect(isOutcomeUnknown(new ApiError('network', ''))).toBe(true);
  for (const status of [202, 408, 500, 502, 503, 504])
    expect(isOutcomeUnknown(new ApiError('unexpected', '', { status })), `${status}`).toBe(true);
  expect(isOutcomeUnknown(refused('temporarily_unavailable'))).toBe(true);
  expect(isOutcomeUnknown(refused('idempotency_in_progress'))).toBe(true);
  expect(isOutcomeUnknown(refused('insufficient_credits'))).toBe(false);
  expect(isOutcomeUnknown(refused('too_many_generations'))).toBe(false);
});
