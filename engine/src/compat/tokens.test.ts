import { describe, expect, it } from 'vitest';
import { isSame, newId } from '../secrets.ts';
import { readLifetimeMs } from '../wire/lifetime.ts';
import { isTokenFor, openTokenMint, signToken } from './tokens.ts';
import { findTargetFault } from './webhook-target.ts';

const NOW = 1_800_000_000_000;
const mint = openTokenMint('key', () => NOW);

describe('a temporary token', () => {
  const token = signToken(mint, ['bria', 'fashn'], 60);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('opens the apps that it names, until it ends', () => {
    expect(isTokenFor(mint, token, 'bria')).toBe(true);
    expect(isTokenFor(mint, token, 'fashn')).toBe(true);
    expect(isTokenFor(mint, token, 'ltx-video')).toBe(false);
    const at = (ms: number) => openTokenMint('key', () => NOW + ms);
    expect(isTokenFor(at(59_999), token, 'bria')).toBe(true);
    expect(isTokenFor(at(60_000), token, 'bria')).toBe(false);
  });

  it('outlives a restart, and ends with the key', () => {
    expect(
      isTokenFor(
        openTokenMint('key', () => NOW),
        token,
        'bria',
      ),
    ).toBe(true);
    expect(
      isTokenFor(
        openTokenMint('another', () => NOW),
        token,
        'bria',
      ),
    ).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['half of it', `${header}.${payload}`],
    ['more than it', `${token}.x`],
    ['other claims', `${header}.${encode({ allowed_apps: ['bria'], exp: 9e9 })}.${signature}`],
    ['no algorithm', `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`],
    ['another algorithm', `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`],
    ['no signature', `${header}.${payload}.`],
    ['one letter more', `${token}A`],
  ])('is none: %s', (_, forged) => {
    expect(isTokenFor(mint, forged, 'bria')).toBe(false);
  });
});

describe('the target of a webhook', () => {
  it.each([
    'http://127.0.0.1:8080/x',
    'https://127.9.9.9/',
    'http://localhost:3000/hook',
    'http://[::1]:80/',
    'http://2130706433/', // 127.0.0.1 as one number
    'http://0x7f.1/',
    'https://hooks.example/a',
    'https://other.example:8443/b',
  ])('may be %s', (address) => {
    expect(findTargetFault(address, ['hooks.example', 'other.example:8443'])).toBeUndefined();
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'https://other.example/b',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://user:word@127.0.0.1/',
    'not an address',
    `http://127.0.0.1/${'a'.repeat(2048)}`,
  ])('may not be %s', (address) => {
    expect(findTargetFault(address, ['hooks.example', 'other.example:8443'])).toBeTypeOf('string');
  });
});

describe('the life of a result', () => {
  it.each([
    ['{"expiration_duration_seconds":90}', 90_000],
    ['{"expiration_duration_seconds":0.5}', 500],
    ['{"expiration_duration_seconds":0}', undefined],
    ['{"expiration_duration_seconds":-4}', undefined],
    ['{"expiration_duration_seconds":"90"}', undefined],
    ['{}', undefined],
    ['null', undefined],
    ['[', undefined],
    [undefined, undefined],
  ])('is read from %s', (header, ms) => {
    expect(readLifetimeMs(header)).toBe(ms);
  });
});

it('makes ids that nobody guesses, and compares secrets of any length', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  expect([isSame('a', 'a'), isSame('a', 'b'), isSame('a', ''), isSame('ä', 'a'), isSame('', '')]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});
