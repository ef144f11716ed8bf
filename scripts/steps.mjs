// Shared steps of the scripts. They run on Node 20 or later before anything is installed, without dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'node_modules', '.bin');
/** The product's Node, an npm dependency that is independent of the machine's. */
export const node = join(bin, 'node');
/**
 * Returns Node's arguments for type-checking a part with the native compiler, which needs a fifth of the CPU time (ADR
 * 020). One checker, because each of the default four would recompute their shared types. Lint uses the older compiler.
 */
export const checkTypes = (part) => [
  join(root, 'node_modules', 'typescript-7', 'bin', 'tsc'),
  ...['-p', part, '--checkers', '1'],
];
export const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };

/**
 * Runs a program in the foreground, forwards signals to it and resolves with its exit code. With `isParallel` its
 * output is printed in one piece after it ends, so that parallel programs do not interleave.
 */
export function run(program, parameters, { isParallel = false, ...options } = {}) {
  const stdio = isParallel ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(program, parameters, { cwd: root, stdio, env, ...options });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward).on('SIGINT', forward);
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(`${program}: ${error.message}`);
      done(127);
    });
    child.once('close', (code, signal) => {
      process.off('SIGTERM', forward).off('SIGINT', forward);
      process.stdout.write(Buffer.concat(output));
      done(code ?? (signal === null ? 1 : 143));
    });
  });
}

/** Runs a program. If it fails, exits with its code. */
export async function must(program, parameters, options) {
  const code = await run(program, parameters, options);
  if (code !== 0) process.exit(code);
}

function hashFiles(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const add = (path) => {
    if (!existsSync(path)) return;
    const entries = safeList(path);
    if (entries === undefined) return void hash.update(path.slice(root.length)).update(readFileSync(path));
    for (const entry of entries.sort()) if (entry !== 'node_modules' && entry !== 'dist') add(join(path, entry));
  };
  paths.forEach((path) => add(join(root, path)));
  return hash.digest('hex');
}

function safeList(path) {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}

const isStamped = (path, stamp) => existsSync(path) && readFileSync(path, 'utf8') === stamp;

/** Runs install scripts regardless of npm's settings, because the packages `node` and Postgres need theirs. */
export const INSTALL = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--ignore-scripts=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Installs the locked versions unless they are present. */
export async function install() {
  const stamp = hashFiles(['package-lock.json']);
  const path = join(root, 'node_modules', '.plinth-installed');
  if (existsSync(node) && (isStamped(path, stamp) || matchesLockFile())) return;
  console.log('Installing the locked packages. This takes a minute, once.');
  // The build needs the development packages even if NODE_ENV is production.
  await must('npm', INSTALL, {
    // ONNX Runtime would download GPU libraries. Offline that fails and removes the package.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
  writeFileSync(path, stamp);
}

/** True if npm's own record of installed packages matches the lock file, as after a manual `npm ci`. */
function matchesLockFile() {
  const [wanted, present] = ['package-lock.json', join('node_modules', '.package-lock.json')].map((path) => {
    const file = join(root, path);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
  });
  return hasAllPackages(present, wanted, process);
}

/**
 * True if every locked package is present in its version. An optional one may be missing unless it names this platform.
 * Both lists are npm's own lists of packages by path. Links lead to our own workspaces.
 */
export function hasAllPackages(present, wanted, { platform, arch }) {
  return Object.entries(wanted).every(([path, { version, integrity, link, optional, devOptional, os, cpu, libc }]) => {
    if (link === true || !path.includes('node_modules/')) return true;
    const found = present[path];
    if (found !== undefined) return found.version === version && found.integrity === integrity;
    const isForHere = os?.includes(platform) === true && (cpu ?? [arch]).includes(arch) && libc === undefined;
    return (optional === true || devOptional === true) && !isForHere;
  });
}

/** Builds the browser part unless the build is up to date. */
export async function build({ force = false } = {}) {
  const scripts = ['scripts/compress.mjs', 'scripts/steps.mjs'];
  // The engine's sources count because the start page runs cut-outs in the browser.
  const stamp = hashFiles(['package-lock.json', 'contract', 'web', 'engine/assets', 'engine/src', ...scripts]);
  const path = join(root, 'web', 'dist', '.stamp');
  if (!force && isStamped(path, stamp)) return;
  console.log('Building the browser part.');
  const dist = join(root, 'web', 'dist');
  await buildLanguage(dist);
  for (const catalogue of listTranslations()) await buildLanguage(dist, catalogue);
  await must(node, ['scripts/compress.mjs', dist]);
  writeFileSync(path, stamp);
}

/** Lists the catalogues of languages other than English, whose sentences are in the sources. */
function listTranslations() {
  const folder = join(root, 'web', 'sentences');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.po') && name !== 'en.po')
    .map((name) => join(folder, name));
}

/**
 * Builds scripts and pages of one language into a folder. English comes first and empties it. Files that languages
 * share have the same name.
 */
export async function buildLanguage(dist, catalogue) {
  const own = { cwd: join(root, 'web'), env: { ...env, ...(catalogue && { PLINTH_CATALOGUE: catalogue }) } };
  const vite = [join(bin, 'vite'), 'build', '--logLevel', 'warn', '--outDir'];
  await must(node, [...vite, dist, `--emptyOutDir=${catalogue === undefined}`], own);
  await must(node, [...vite, join(dist, 'prerenderer'), '--emptyOutDir', '--ssr', 'src/public/prerender.tsx'], own);
  await must(node, [join(dist, 'prerenderer', 'prerender.js'), dist]);
}
