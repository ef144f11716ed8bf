import { existsSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { openOperatorNetwork } from './cutout/operator-network.ts';

/** node check-network.ts CARD: opens the network of a card, looks at a grey picture, and prints one line of JSON. */

const STATUS = '/proc/self/status'; // Linux

async function check(card: string): Promise<Record<string, unknown>> {
  const look = await openOperatorNetwork(card, 2);
  const started = performance.now();
  await look({ width: 800, height: 600, data: new Uint8Array(800 * 600 * 3).fill(128) });
  const milliseconds = Math.round(performance.now() - started);
  return { ok: true, milliseconds, megabytes: readPeakMegabytes() };
}

const found = await check(argv[2] ?? '').catch((error: unknown) => ({
  ok: false,
  problem: error instanceof Error ? error.message : String(error),
}));
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exitCode = found['ok'] === true ? 0 : 1;

/** The most resident memory so far; Node's own figure begins with that of the process which started it. */
function readPeakMegabytes(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'latin1') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Math.round(Number(kilobytes) / 1024);
}
