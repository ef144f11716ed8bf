import { describe, expect, it } from 'vitest';
import { errors, isErrorCode } from './errors.ts';

describe('the table of errors', () => {
  it.each(Object.entries(errors))('%s has a status of a refusal and a sentence', (code, { status, detail }) => {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(detail.trim()).not.toBe('');
  });

  it('knows only its own codes', () => {
    expect(isErrorCode('not_found')).toBe(true);
    expect(isErrorCode('__proto__')).toBe(false);
  });
});
