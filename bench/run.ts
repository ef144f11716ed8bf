import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureSkills } from './engine-skills.ts';
import { measureCatalogue, measureEngineCatalogue } from './catalogue.ts';
import { measureEngineLoad } from './engine-load.ts';
import { measureManyStreams } from './many-streams.ts';
import { measureBacklog, measureInFlight, measureLargePhotos, measureOverload, measureSoak } from './pressure.ts';
import { measurePress } from './press.ts';
import { stopAll } from './product.ts';
import { measureShares } from './shares.ts';
import { readMachine, type Row, renderTable, rowOfFigure, rowOfSkill, logProgress } from './table.ts';

/**
 * npm run bench: measures the machine's maximum rates (ceilings.ts), then the product from outside, and prints one
 * table, shares first. `npm run bench -- NAME` measures one part, `-- press TOOL` one tool, `-- soak --minutes N` a
 * soak test, which the full run skips. `--scale 0.1` reduces streams, backlogs and runs. It uses loopback only.
 */

const MAX_SECONDS = 3600;
const startedAt = performance.now();
const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, minutes: { type: 'string', default: '30' } },
  allowPositionals: true,
});
const scale = Number(values.scale);
const minutes = Number(values.minutes);

const parts: Record<string, () => Promise<Row[]>> = {
  product: measureShares,
  press: () => measurePress(positionals[1]),
  large: measureLargePhotos,
  streams: () => measureManyStreams(scale),
  'in-flight': () => measureInFlight(scale),
  backlog: () => measureBacklog(scale),
  overload: measureOverload,
  catalogue: () => measureCatalogue(scale),
  'engine-catalogue': () => measureEngineCatalogue(scale),
  engine: async () => [...(await measureEngineLoad()), ...(await measureSkills()).map(rowOfSkill)],
  soak: () => measureSoak(minutes),
};

let ending = false;

async function end(exitCode: number): Promise<void> {
  if (ending) return;
  ending = true;
  await stopAll().catch((error: unknown) => console.error(error));
  // A product that was stopped during its start leaves an initdb process, which still writes for a moment.
  for (let tries = 0; tries < 10 && existsSync(folder); tries += 1) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await sleep(200);
  }
  process.exit(exitCode);
}

// The parent of all temporary folders, including the engine's.
const folder = mkdtempSync(join(tmpdir(), 'plinth-bench-'));
process.env.TMPDIR = folder;
process.once('SIGINT', () => void end(130));
process.once('SIGTERM', () => void end(143));
setTimeout(
  () => {
    logProgress('no time left');
    void end(1);
  },
  (MAX_SECONDS + minutes * 60) * 1000,
).unref();
try {
  const machine = readMachine();
  const [name] = positionals;
  const chosen = name === undefined ? Object.keys(parts).filter((part) => part !== 'soak') : [name];
  const rows: Row[] = [];
  let hasFailed = false;
  for (const part of chosen) {
    const measure = parts[part];
    if (measure === undefined) throw new Error(`no part ${part}: ${Object.keys(parts).join(', ')}`);
    logProgress(part);
    const measured = await measure().catch(async (error: unknown) => {
      if (ending) throw error;
      console.error(error);
      await stopAll();
      hasFailed = true;
      return [rowOfFigure(part, 'failed, see above', '')];
    });
    // Printed immediately, so that an aborted run has partial results.
    for (const { what, share = '', perSecond } of measured) logProgress(`${what}: ${perSecond} ${share}`);
    rows.push(...measured);
  }
  console.log(renderTable(rows, machine, (performance.now() - startedAt) / 1000));
  await end(hasFailed ? 1 : 0);
} catch (error) {
  if (!ending) console.error(error);
  await end(1);
}
