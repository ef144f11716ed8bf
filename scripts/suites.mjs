// The parts of `npm test`. Each returns how many tests passed and failed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSeventhTool } from './seventh-tool.mjs';
import { checkTypes, env, node, root, run } from './steps.mjs';

const runParallel = (parameters) => run(node, parameters, { isParallel: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = join(root, 'test-results');
/** Tests start the product and its commands hundreds of times, so they share a compile cache. */
const testEnv = { ...env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };

/** glibc settings, in bytes: keep freed memory of a picture's size for the next one instead of returning it. */
const PICTURE_MEMORY = { MALLOC_MMAP_THRESHOLD_: '1073741824', MALLOC_TRIM_THRESHOLD_: '4294967296' };

/** Linux's folder in memory, and its minimum free bytes. The tests' databases and files take most of them. */
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_FREE = 8e9;

/**
 * Calls `use` with a temporary folder and deletes it afterwards. It is in memory if there is enough space, because a
 * suite creates hundreds of databases and files, which would wait for the disk (ADR 020).
 */
async function withTempFolder(use) {
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY_FOLDER : tmpdir(), 'plinth-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasRoomInMemory() {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_FREE;
}

/** Returns a suite's result: passed tests, and names of those that failed or needed a retry. */
export const toResult = (name, code) => ({
  name,
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? [] : [name],
  retried: [],
});

/** Runs parts two at a time, in this order; resolves with their results in the same order. */
export async function twoAtATime(parts) {
  const results = [];
  const waiting = parts.entries();
  const worker = async () => {
    for (const [at, part] of waiting) results[at] = await part();
  };
  await Promise.all([worker(), worker()]);
  return results;
}

export async function format() {
  return toResult('format', await runParallel([bin('oxfmt'), '--check', '.']));
}

export async function lint() {
  const codes = [
    await runParallel([bin('oxlint'), '.']),
    await runParallel([bin('eslint'), '--max-warnings', '0', '.']),
  ];
  return toResult('lint', Math.max(...codes));
}

export async function types() {
  const results = [];
  for (const part of ['server', 'web', 'contract', 'engine', 'e2e', 'bench']) {
    results.push(toResult(`types of ${part}`, await runParallel(checkTypes(part))));
  }
  return sum('types', results);
}

/** Checks that a new tool needs changes in two places only. */
export async function seventhTool() {
  return toResult('a seventh tool', (await checkSeventhTool()) ? 0 : 1);
}

/** Checks that generated pictures are up to date with their originals. */
export async function generated() {
  const results = [];
  for (const script of ['icons', 'pictures']) {
    results.push(toResult(script, await runParallel([join('scripts', `${script}.mjs`), '--check'])));
  }
  return sum('generated pictures', results);
}

/** Options of Vitest and Playwright: `npm test` runs the quick tests, `npm run test:slow` the slow ones. */
const CHOICES = {
  quick: { unit: ['--tags-filter=!slow'], browser: ['--grep-invert=@slow'] },
  slow: { unit: ['--tags-filter=slow'], browser: ['--grep=@slow'] },
  all: { unit: [], browser: [] },
};

/**
 * Runs Vitest with three test files at a time, even on two cores, because many tests only wait. A busy machine
 * sometimes misses their real time limits, so each test has one retry, and the run names those that needed it. `which`
 * is a key of `CHOICES`, `extraArguments` more arguments for Vitest.
 */
export async function unit(projects, which, extraArguments = []) {
  const name = projects.join(', ');
  const report = prepareReport('vitest.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const parameters = [
    bin('vitest'),
    'run',
    ...chosen,
    '--retry=1',
    '--maxWorkers=3',
    ...CHOICES[which].unit,
    ...extraArguments,
  ];
  const code = await withTempFolder((TMPDIR) =>
    run(node, parameters, { env: { ...testEnv, ...PICTURE_MEMORY, TALLY_PATH: report, TMPDIR } }),
  );
  if (!existsSync(report)) return toResult(name, 1);
  const tally = JSON.parse(readFileSync(report, 'utf8'));
  return { name, ...tally, failed: code === 0 || tally.failed.length > 0 ? tally.failed : [name] };
}

export async function browser(path, which) {
  const report = prepareReport('browser.json');
  const code = await withTempFolder((TMPDIR) =>
    run(node, [bin('playwright'), 'test', '--project=journeys', '--reporter=list,json', ...CHOICES[which].browser], {
      cwd: join(root, 'e2e'),
      env: { ...testEnv, CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report, TMPDIR },
    }),
  );
  if (!existsSync(report)) return toResult('browser', 1);
  const journeys = readJourneys(JSON.parse(readFileSync(report, 'utf8')));
  const named = (...statuses) => journeys.filter(({ status }) => statuses.includes(status)).map(({ name }) => name);
  const failed = named('unexpected', 'skipped');
  return {
    name: 'browser',
    passed: named('expected', 'flaky').length,
    failed: code === 0 || failed.length > 0 ? failed : ['browser'],
    retried: named('flaky'),
  };
}

/** Lists the journeys of Playwright's report from all nested suites. */
function readJourneys({ specs = [], suites = [] }) {
  return [
    ...specs.flatMap(({ file, title, tests }) => tests.map(({ status }) => ({ name: `${file} > ${title}`, status }))),
    ...suites.flatMap(readJourneys),
  ];
}

function prepareReport(name) {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}

export function sum(name, results) {
  return results.reduce(
    (all, one) => ({
      name,
      passed: all.passed + one.passed,
      failed: [...all.failed, ...one.failed],
      retried: [...all.retried, ...one.retried],
    }),
    { name, passed: 0, failed: [], retried: [] },
  );
}

/** More retries than this are not chance: a test or the product is unreliable. */
const MAX_RETRIED = 2;

/** Prints each suite's counts, retried and failed tests, and the totals last. Returns the exit code. */
export function conclude(results) {
  const total = sum('all', results);
  const tooMany = total.retried.length > MAX_RETRIED ? [`more than ${MAX_RETRIED} second tries`] : [];
  const all = { ...total, failed: [...total.failed, ...tooMany] };
  console.log();
  for (const { name, passed, failed } of results) {
    console.log(`${name}: ${passed} passed${failed.length > 0 ? `, ${failed.length} FAILED` : ''}`);
  }
  all.retried.forEach((name) => console.log(`AT THE SECOND TRY: ${name}`));
  all.failed.forEach((name) => console.log(`FAILED: ${name}`));
  console.log(`${all.passed} passed, ${all.failed.length} failed`);
  return all.failed.length === 0 ? 0 : 1;
}
