// The parts of `npm test`; each says how many tests passed and failed.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addsSeventhTool } from './seventh-tool.mjs';
import { node, root, run } from './steps.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = join(root, 'test-results');

const asOne = (name, code) => ({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });

export async function format() {
  return asOne('format', await run(node, [bin('prettier'), '--check', '--log-level', 'warn', '.']));
}

export async function lint() {
  return asOne('lint', await run(node, [bin('eslint'), '--max-warnings', '0', '.']));
}

export async function types() {
  const results = [];
  for (const part of ['contract', 'server', 'engine', 'web', 'e2e', 'bench']) {
    results.push(asOne(`types of ${part}`, await run(node, [bin('tsc'), '-p', part])));
  }
  return sum('types', results);
}

/** A tool is two places, whoever adds it. */
export async function seventhTool() {
  return asOne('a seventh tool', (await addsSeventhTool()) ? 0 : 1);
}

/** Pictures that scripts make are those of their present originals. */
export async function generated() {
  const results = [];
  for (const script of ['icons', 'pictures']) {
    results.push(asOne(script, await run(node, [join('scripts', `${script}.mjs`), '--check'])));
  }
  return sum('generated pictures', results);
}

/** `files` is how many test files run at a time; by default one less than there are cores. */
export async function unit(projects, files) {
  const report = prepareReport('vitest.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const code = await run(node, [
    bin('vitest'),
    'run',
    ...chosen,
    ...(files === undefined ? [] : [`--maxWorkers=${files}`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  if (!existsSync(report)) return { name: projects.join(', '), passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that does not even load has no failed test of its own.
  const failed = numFailedTests || (code === 0 ? 0 : Math.max(1, numFailedTestSuites));
  return { name: projects.join(', '), passed: numPassedTests, failed };
}

export async function browser(path) {
  const report = prepareReport('browser.json');
  const env = { ...process.env, CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const code = await run(node, [bin('playwright'), 'test', '--project=journeys', '--reporter=list,json'], {
    cwd: join(root, 'e2e'),
    env,
  });
  if (!existsSync(report)) return { name: 'browser', passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, 'utf8')).stats;
  return {
    name: 'browser',
    passed: expected + flaky,
    atSecondTry: flaky,
    failed: unexpected + skipped || (code === 0 ? 0 : 1),
  };
}

function prepareReport(name) {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}

export function sum(name, results) {
  return results.reduce((all, one) => ({ name, passed: all.passed + one.passed, failed: all.failed + one.failed }), {
    name,
    passed: 0,
    failed: 0,
  });
}
