import { argv } from 'node:process';
import { openOperatorNetwork } from './cutout/operator-network.ts';
import { peakMemory } from './peak-memory.ts';

/** node check-network.ts CARD: opens the network of a card, looks at a grey picture, and prints one line of JSON. */

const MEGABYTE = 1024 * 1024;

async function check(card: string): Promise<Record<string, unknown>> {
  const look = await openOperatorNetwork(card, 2);
  const started = performance.now();
  await look({ width: 800, height: 600, data: new Uint8Array(800 * 600 * 3).fill(128) });
  const milliseconds = Math.round(performance.now() - started);
  return { ok: true, milliseconds, megabytes: Math.round(peakMemory() / MEGABYTE) };
}

const found = await check(argv[2] ?? '').catch((error: unknown) => ({
  ok: false,
  problem: error instanceof Error ? error.message : String(error),
}));
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exitCode = found['ok'] === true ? 0 : 1;
