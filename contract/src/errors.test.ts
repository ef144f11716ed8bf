import { describe, expect, it } from 'vitest';
import { errors, isErrorCode, sentences } from './errors.ts';

describe('the table of errors', () => {
  it.each(Object.entries(errors))('%s has a status of a refusal and a sentence', (code, { status, detail }) => {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(detail.trim()).not.toBe('');
  });

  it.each(Object.entries(errors))(
    '%s can be shown to a person, and looked up by a program',
    (code, { status, detail }) => {
      expect(status).toBeLessThanOrEqual(599);
      expect(detail).toMatch(/^[A-Z]/);
      expect(detail).not.toMatch(/[{}<>_]|undefined|error \d/);
      expect(isErrorCode(code)).toBe(true);
    },
  );

  it.each(Object.entries(sentences))('the browser says %s as a whole sentence', (_name, sentence) => {
    expect(sentence).toMatch(/^[A-Z]\w+.*[\w.!]$/);
  });

  it('keeps 5xx for what a person may try again', () => {
    const ours = Object.entries(errors).filter(([code, { status }]) => status >= 500 && code !== 'subject_unavailable');
    for (const [, { detail }] of ours) expect(detail).toMatch(/try again/);
  });

  it('knows only its own codes', () => {
    expect(isErrorCode('not_found')).toBe(true);
    expect(isErrorCode('__proto__')).toBe(false);
  });
});
