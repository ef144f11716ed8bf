import { expect, test } from 'vitest';
import { errors } from '@plinth/contract/errors';
import { ApiError } from './api.ts';
import { isUnanswered } from './unanswered.ts';

const refused = (code: keyof typeof errors) => new ApiError(code, '', { status: errors[code].status });

test('what was not refused may have been accepted', () => {
  expect(isUnanswered(new ApiError('network', ''))).toBe(true);
  for (const status of [202, 408, 500, 502, 503, 504])
    expect(isUnanswered(new ApiError('unexpected', '', { status })), `${status}`).toBe(true);
  expect(isUnanswered(refused('temporarily_unavailable'))).toBe(true);
  expect(isUnanswered(refused('idempotency_in_progress'))).toBe(true);
  expect(isUnanswered(refused('insufficient_credits'))).toBe(false);
  expect(isUnanswered(refused('too_many_generations'))).toBe(false);
});
