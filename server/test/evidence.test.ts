import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(REPOSITORY, 'docs', 'security.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\|\s+\d+\.\d+/.test(line));

it('every requirement in docs/security.md has a test that is there, or a reason', () => {
  expect(rows.length).toBeGreaterThan(150);
  const without = rows.filter((row) => !/`[^`]+`: “[^”]+”/.test(row) && !row.includes('**Deviation**'));
  expect(without).toEqual([]);
});

it('every test that docs/security.md names is there, by its name', () => {
  const named = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`(?:: “([^”]+)”)?/g)];
  const missing = named.filter(([, file = '', name]) => {
    const path = join(REPOSITORY, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8').replaceAll(String.raw`\'`, "'") : undefined;
    return text === undefined || (name !== undefined && !text.includes(name));
  });
  expect(named.length).toBeGreaterThan(150);
  expect(missing.map(([text]) => text)).toEqual([]);
});
