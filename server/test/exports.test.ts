import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');
const PARTS = ['contract', 'server', 'web', 'engine', 'e2e', 'bench', 'scripts', 'lighthouse'];
/** The parts whose exports are checked. */
const CHECKED = /^(contract|server|bench|scripts)\//;
/** Loaded by name: `vitest.config.ts` and Vitest's reporter. */
const LOADED = /vitest\.config\.ts$|^scripts\/tally\.mjs$/;

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist', 'shots'].includes(entry.name) ? [] : listSources(path);
    return /(?<!\.d)\.(ts|tsx|mjs)$/.test(entry.name) ? [path] : [];
  });
}

it('every export has a user in another file', () => {
  const sources = PARTS.flatMap(listSources).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const files = new Map<string, number>();
  for (const { text } of sources)
    for (const word of new Set(text.match(/\b[A-Za-z_]\w*\b/g))) files.set(word, (files.get(word) ?? 0) + 1);
  const unused = sources
    .filter(({ path }) => CHECKED.test(path) && !LOADED.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:type|const|class|function\*?) (\w+)/gm)]
        .filter(([, name = '']) => files.get(name) === 1)
        .map(([, name]) => `${name} in ${path}`),
    );
  expect(unused).toEqual([]);
});
