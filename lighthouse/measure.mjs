// npm run lighthouse: builds, starts the product on a data folder of its own and measures its public pages as
// Lighthouse's phone on a slow line. The median of three runs of each; ends with 1 when one is not good enough.
// Lighthouse is a sixth of all packages, so it has a lock file of its own and is installed by its first run.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProduct } from '../bench/product.ts';
import { readMachine } from '../bench/table.ts';
import { findBrowser } from '../scripts/browser.mjs';
import { build, must } from '../scripts/steps.mjs';

const PATHS = ['/', '/login', '/privacy', '/terms'];
const RUNS = 3;
const BROWSER_START_MS = 30_000;

const score = (category) => (report) => Math.round((report.categories[category]?.score ?? 0) * 100);
const figure = (audit) => (report) => report.audits[audit]?.numericValue ?? Infinity;
/** What is measured, how it is written, and when it is good enough. */
const COLUMNS = [
  { name: 'Performance', read: score('performance'), isGood: (value) => value >= 98 },
  { name: 'Accessibility', read: score('accessibility'), isGood: (value) => value === 100 },
  { name: 'Best practices', read: score('best-practices'), isGood: (value) => value === 100 },
  { name: 'SEO', read: score('seo'), isGood: (value) => value === 100 },
  {
    name: 'LCP, s',
    read: figure('largest-contentful-paint'),
    isGood: (value) => value <= 1200,
    write: (value) => (value / 1000).toFixed(2),
  },
  {
    name: 'CLS',
    read: figure('cumulative-layout-shift'),
    isGood: (value) => value <= 0.02,
    write: (value) => value.toFixed(3),
  },
  {
    name: 'TBT, ms',
    read: figure('total-blocking-time'),
    isGood: (value) => value <= 50,
    write: (value) => value.toFixed(0),
  },
];

await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: import.meta.dirname });
const { default: lighthouse } = await import('lighthouse');
await build();
const browser = await startBrowser();
try {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const product = await startProduct({ PORT: String(port), PUBLIC_ORIGIN: url });
  try {
    process.exitCode = await measure(url, browser.port);
  } finally {
    await product.stop();
  }
} finally {
  await browser.stop();
}

/** Prints the table in Markdown. Returns the exit code. */
async function measure(url, browserPort) {
  const { facts, loadBefore } = readMachine();
  const rows = [];
  const faults = new Set();
  for (const path of PATHS) {
    const reports = [];
    for (let round = 0; round < RUNS; round += 1) reports.push(await run(url + path, browserPort));
    const values = COLUMNS.map(({ read }) => median(reports.map(read)));
    COLUMNS.forEach(({ name, isGood }, at) => isGood(values[at]) || faults.add(`${path}: ${name} is ${values[at]}`));
    for (const fault of reports.flatMap(listFailedAudits)) faults.add(`${path}: ${fault}`);
    rows.push([path, ...COLUMNS.map(({ write = String }, at) => write(values[at]))]);
  }
  const load = `load ${loadBefore.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`;
  console.log(`\n${[...facts, load].join('; ')}.\n`);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  console.log(
    [line(['Page', ...COLUMNS.map(({ name }) => name)]), line(['---', ...COLUMNS.map(() => '---:')])].join('\n'),
  );
  console.log(rows.map(line).join('\n'));
  for (const fault of faults) console.error(fault);
  return faults.size === 0 ? 0 : 1;
}

async function run(url, port) {
  const result = await lighthouse(url, { port, logLevel: 'error', output: 'json' });
  if (result === undefined) throw new Error(`Lighthouse gave no result for ${url}`);
  if (result.lhr.runtimeError) throw new Error(`${url}: ${result.lhr.runtimeError.message}`);
  return result.lhr;
}

/** Audits that cost points outside of the performance score, with what they found first. */
function listFailedAudits({ categories, audits }) {
  return Object.values(categories)
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => `${audits[id].title} ${JSON.stringify(audits[id].details?.items?.[0] ?? '').slice(0, 300)}`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** A Chromium that nobody else uses and that asks for nothing by itself. */
async function startBrowser() {
  const path = findBrowser();
  if (path === undefined) throw new Error('No Chromium was found. Install one or set CHROMIUM_PATH.');
  const profile = mkdtempSync(join(tmpdir(), 'plinth-lighthouse-'));
  const child = spawn(
    path,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-sandbox',
      '--no-first-run',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const gone = new Promise((done) => child.once('exit', done));
  const stop = async () => {
    child.kill('SIGKILL');
    await gone;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const port = await new Promise((found) => {
    setTimeout(() => found(undefined), BROWSER_START_MS).unref();
    child.once('error', () => found(undefined));
    child.once('exit', () => found(undefined));
    // Read on after the line as well: a pipe that nobody empties would stop the browser.
    createInterface({ input: child.stderr }).on('line', (line) => {
      const said = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
      if (said !== undefined) found(Number(said));
    });
  });
  if (port === undefined) {
    await stop();
    throw new Error('Chromium did not start.');
  }
  return { port, stop };
}

/** The public origin must be known before the start, so the port is too. */
function findFreePort() {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}
