/** @module-tag slow */
import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import {
  beginTask,
  doTask,
  type Engine,
  REMOVE,
  removeFolder,
  startEngine,
  waitFor,
  workersOf,
} from '../../test/engine.ts';
import { makeNetwork } from '../../test/tiny-network.ts';

// Networks that are bad although they were tried out, as seen from outside: the engine stays up, every task ends, and
// the log says what to do.
const started: Engine[] = [];

afterEach(async () => {
  for (const engine of started.splice(0)) {
    if (engine.child.exitCode === null && engine.child.signalCode === null) await engine.kill();
    await removeFolder(engine);
  }
});

type Started = { engine: Engine; countInLog: (words: string) => number };

async function start(env: Record<string, string>, dataDir: string): Promise<Started> {
  const engine = await startEngine({ ENGINE_WORKERS: '1', ...env }, dataDir);
  started.push(engine);
  return { engine, countInLog: (words) => engine.readLog().split(words).length - 1 };
}

/** A network that detects bright pixels finds a white disc on black, like our own, but no dark one on white. */
async function drawDisc(disc = '#fff', background = '#000'): Promise<Buffer> {
  const circle = `<circle cx="150" cy="150" r="90" fill="${disc}"/>`;
  const picture = `<svg width="300" height="300"><rect width="300" height="300" fill="${background}"/>${circle}</svg>`;
  return sharp(Buffer.from(picture)).png().toBuffer();
}

type Cut = { error?: string; middle?: number; corner?: number };

async function cutDisc(engine: Engine, input = {}, picture = drawDisc()): Promise<Cut> {
  const { end, file } = await doTask(engine, REMOVE, { pictures: { image_url: await picture }, input });
  if (end.kind !== 'done') return { error: String(end['reason']) };
  const alpha = await sharp(file).extractChannel(3).raw().toBuffer();
  return { middle: alpha[150 * 300 + 150] ?? -1, corner: alpha[5 * 300 + 5] ?? -1 };
}

const RIGHT = { middle: 255, corner: 0 };

const INPUT = { side: 1024, mean: [0.5, 0.5, 0.5], scale: [0.02, 0.02, 0.02] };

/** Starts an engine with another network. */
async function startWith(bytes: Uint8Array, changes: object = {}, env: Record<string, string> = {}): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-test-'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = join(dataDir, 'other.json');
  await writeFile(join(dataDir, 'other.onnx'), bytes);
  await writeFile(path, JSON.stringify({ file: 'other.onnx', sha256, input: INPUT, ...changes }));
  return start({ ENGINE_CUTOUT_CARD: path, ...env }, dataDir);
}

const ADVICE = 'engine-model remove';

describe("an operator's network", { timeout: 120_000 }, () => {
  it('separates product from background in every worker', async () => {
    const input = { ...INPUT, side: 128 };
    const { engine, countInLog } = await startWith(makeNetwork(), { input }, { ENGINE_WORKERS: '2' });
    const cutDark = () => cutDisc(engine, {}, drawDisc('#223', '#eee'));
    const bright = { middle: 0, corner: 255 };
    expect(await Promise.all([cutDark(), cutDark()])).toEqual([bright, bright]);
    expect(countInLog(ADVICE)).toBe(0);
  });

  it.each<[string, Uint8Array, object]>([
    ['that was damaged', makeNetwork(), { sha256: '0'.repeat(64) }],
    ['that became noise', Buffer.alloc(4096, 0xa7), {}],
    ['whose answer has another shape', makeNetwork({ axis: 2 }), {}],
  ])('%s fails each task with advice, and tasks without it still succeed', async (_, bytes, changes) => {
    const { engine, countInLog } = await startWith(bytes, changes);
    expect(await cutDisc(engine)).toEqual({ error: 'broke' });
    expect(await cutDisc(engine)).toEqual({ error: 'broke' });
    await waitFor(async () => countInLog(ADVICE) > 1);
    const marks = { box: [0.1, 0.1, 0.9, 0.9] };
    expect(await cutDisc(engine, { marks })).toEqual(RIGHT);
    expect(countInLog(ADVICE)).toBe(2);
  });

  it('that takes too long fails its task with advice', async () => {
    const { engine, countInLog } = await startWith(makeNetwork({ burden: 8000 }), {}, { ENGINE_STILL_SECONDS: '4' });
    expect(await cutDisc(engine)).toEqual({ error: 'time_limit' });
    await waitFor(async () => countInLog(ADVICE) > 0);
  });

  it('whose worker is killed while loading is retried by another worker', async () => {
    const { engine, countInLog } = await startWith(makeNetwork({ burden: 1500 }));
    const { lines, end } = beginTask(engine, REMOVE, { pictures: { image_url: await drawDisc() } });
    await waitFor(async () => lines.some(({ percent }) => Number(percent) >= 20)); // the product is being detected
    for (const pid of workersOf(engine)) process.kill(pid, 'SIGKILL');
    expect((await end).end.kind).toBe('refused'); // so many sigmoids leave the network uncertain
    expect([countInLog('worker_lost'), countInLog(ADVICE)]).toEqual([1, 0]);
  });
});
