/**
 * node quality/memory.ts: the memory of a running engine and its workers, idle and with two tasks at a time.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { doTask, readProduct, removeFolder, startEngine, workersOf, type Engine } from '../test/engine.ts';

const MOST_IDLE_MB = 250;
const MOST_BUSY_MB = 1536;
const REST_MS = 70_000; // after a minute without work the pool lets go of what it does not need
const MOST_MS = 180_000;

const picture = (side: number) => async () =>
  sharp(await readProduct('mug'))
    .resize(side)
    .jpeg()
    .toBuffer();
const JOBS = [
  { what: 'background removal, 12 MP', skill: 'remove-background', make: picture(3464) },
  { what: 'background replacement, 12 MP', skill: 'replace-background', make: picture(3464) },
  { what: 'basic video', skill: 'basic-video', make: picture(1024) },
  { what: 'premium video', skill: 'premium-video', make: picture(1536) },
];

/** Of pages that processes share (node and its libraries) each counts its part: proportional set size, proc(5). */
function measureMegabytes(engine: Engine): number {
  const pids = [engine.child.pid ?? 0, ...workersOf(engine)];
  const kilobytes = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
    } catch {
      return 0; // a worker that has just gone
    }
  });
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
}

async function measureTwo(engine: Engine, skill: string, picture: Buffer): Promise<number> {
  const runs = [0, 1].map((seed) =>
    doTask(engine, skill, { pictures: { image_url: picture }, input: { prompt: 'marble, slow orbit, snow', seed } }),
  );
  let isOver = false;
  const end = Promise.all(runs).finally(() => (isOver = true));
  let most = 0;
  for (const started = performance.now(); !isOver && performance.now() - started < MOST_MS; await sleep(100)) {
    most = Math.max(most, measureMegabytes(engine));
  }
  await end;
  return most;
}

async function measure(): Promise<boolean> {
  const engine = await startEngine({ ENGINE_WORKERS: '2' });
  let isWithin = true;
  const tell = (what: string, megabytes: number, most: number) => {
    isWithin &&= megabytes <= most;
    console.log(`${what.padEnd(44)} ${String(megabytes).padStart(5)} MB   at most ${most}`);
  };
  try {
    await sleep(1000);
    tell('idle, just started', measureMegabytes(engine), MOST_IDLE_MB);
    for (const { what, skill, make } of JOBS) {
      tell(`two at a time: ${what}`, await measureTwo(engine, skill, await make()), MOST_BUSY_MB);
    }
    await sleep(REST_MS);
    tell('idle, a minute after work', measureMegabytes(engine), MOST_IDLE_MB);
  } finally {
    await engine.stop();
    await removeFolder(engine);
  }
  return isWithin;
}

process.exitCode = (await measure()) ? 0 : 1;
