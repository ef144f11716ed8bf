import { ConfigError, readNetworkConfig } from './config.ts';
import { loadNetwork } from './cutout/operator-network.ts';
import { peakMemory } from './peak-memory.ts';

/**
 * node check-network.ts: loads the network of the ENGINE_MATTING_* settings once and prints one line of JSON about it.
 */

const MEGABYTE = 1024 * 1024;

async function check(): Promise<Record<string, unknown>> {
  const settings = readNetworkConfig();
  if (!settings) throw new ConfigError('ENGINE_MATTING_MODEL is required');
  const { side, infer } = await loadNetwork(settings);
  const started = performance.now();
  await infer(new Uint8Array(side * side * 3).fill(128));
  const milliseconds = Math.round(performance.now() - started);
  const megabytes = Math.round(peakMemory() / MEGABYTE);
  return { ok: true, side, milliseconds, megabytes };
}

const found = await check().catch((error: unknown) => ({
  ok: false,
  problem: error instanceof Error ? error.message : String(error),
  areSettingsWrong: error instanceof ConfigError,
}));
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exitCode = found.ok ? 0 : 1;
