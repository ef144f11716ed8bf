import { randomBytes, timingSafeEqual } from 'node:crypto';

/** 128 random bits as 22 characters of base64url: whoever knows one may use what it names. */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** Compares secrets without telling by the time taken where they differ. */
export function isSame(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
