import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Asks the script as the start does, in a Node of its own. */
function holdsAll(present: object, wanted: object): boolean {
  const lists = [present, wanted, { platform: 'linux', arch: 'x64' }].map((list) => JSON.stringify(list)).join();
  const code = `import('./scripts/steps.mjs').then((steps) => console.log(steps.holdsAll(${lists})))`;
  return execFileSync(process.execPath, ['-e', code], { cwd: ROOT, encoding: 'utf8' }).trim() === 'true';
}

const fastify = { version: '5.0.0', integrity: 'sha512-a' };
const wanted = {
  '': { name: 'plinth' },
  server: { name: '@plinth/server', version: '0.1.0' },
  'node_modules/@plinth/server': { resolved: 'server', link: true },
  'node_modules/fastify': fastify,
  'node_modules/for-macs': { version: '1.0.0', integrity: 'sha512-m', optional: true, os: ['darwin'] },
  'node_modules/for-nobody': { version: '1.0.0', integrity: 'sha512-n', optional: true },
  'node_modules/for-here': { version: '1.0.0', integrity: 'sha512-h', optional: true, os: ['linux'], cpu: ['x64'] },
};
const present = { 'node_modules/fastify': fastify, 'node_modules/for-here': wanted['node_modules/for-here'] };

it('what npm ci has installed is not installed again', () => {
  expect(holdsAll(present, wanted)).toBe(true);
});

it.each<[what: string, present: object]>([
  ['nothing', {}],
  ['another version', { ...present, 'node_modules/fastify': { ...fastify, version: '4.9.9' } }],
  ['other bytes', { ...present, 'node_modules/fastify': { ...fastify, integrity: 'sha512-b' } }],
  ['no part for this machine', { 'node_modules/fastify': fastify }],
])('%s is installed anew', (_what, there) => {
  expect(holdsAll(there, wanted)).toBe(false);
});
