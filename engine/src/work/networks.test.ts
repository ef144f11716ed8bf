/** @module-tag slow */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { makeNetwork, type NetworkShape } from '../../test/tiny-network.ts';

// Bad networks, as seen from outside: the engine stays up, says what is wrong once, and every job ends.
const OWN_CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));
const started: Engine[] = [];

afterEach(async () => {
  for (const engine of started.splice(0)) {
    if (engine.child.exitCode === null && engine.child.signalCode === null) await engine.kill();
    await removeFolder(engine);
  }
});

type Started = { engine: Engine; timesSaid: (words: string) => number };

async function start(env: Record<string, string>, dataDir: string): Promise<Started> {
  const engine = await startEngine({ ENGINE_WORKERS: '1', ...env }, dataDir);
  started.push(engine);
  return { engine, timesSaid: (words) => engine.told().split(words).length - 1 };
}

/** A white disc on black: a network that takes bright for product finds the disc, and so does our own. */
async function drawDisc(): Promise<Buffer> {
  const disc =
    '<svg width="300" height="300"><rect width="300" height="300"/><circle cx="150" cy="150" r="90" fill="#fff"/></svg>';
  return sharp(Buffer.from(disc)).png().toBuffer();
}

async function cutDisc(engine: Engine): Promise<{ error?: string; middle?: number; corner?: number }> {
  const { end, file } = await doTask(engine, REMOVE, { pictures: { image_url: await drawDisc() } });
  if (end.kind !== 'done') return { error: String(end['reason']) };
  const alpha = await sharp(file).extractChannel(3).raw().toBuffer();
  return { middle: alpha[150 * 300 + 150] ?? -1, corner: alpha[5 * 300 + 5] ?? -1 };
}

const RIGHT = { middle: 255, corner: 0 };
const OUR_KIND: NetworkShape = { names: ['image', 'marks'], outputName: 'alpha', hasSigmoid: false };

/** An engine with another network; `card` says what is known of it beside its file. */
async function startWith(bytes: Uint8Array, card: object, env: Record<string, string> = {}): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-test-'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = join(dataDir, 'other.json');
  await writeFile(join(dataDir, 'other.onnx'), bytes);
  await writeFile(path, JSON.stringify({ file: 'other.onnx', sha256, bytes: bytes.length, ...card }));
  return start({ ENGINE_CUTOUT_CARD: path, ...env }, dataDir);
}

async function startWithOurKind(bytes: Uint8Array, changes: object = {}) {
  const { file: _file, sha256: _hash, bytes: _bytes, ...card } = JSON.parse(await readFile(OWN_CARD, 'utf8'));
  return startWith(bytes, { ...(card as object), ...changes });
}

describe("an operator's network of our own kind", { timeout: 120_000 }, () => {
  it('serves without a change of code', async () => {
    const { engine, timesSaid } = await startWithOurKind(makeNetwork(OUR_KIND));
    expect(await cutDisc(engine)).toEqual(RIGHT);
    expect(timesSaid('network_unusable')).toBe(0);
  });

  it.each<[string, Uint8Array, object]>([
    ['that is damaged', makeNetwork(OUR_KIND), { sha256: '0'.repeat(64) }],
    ['that is noise', Buffer.alloc(4096, 0xa7), {}],
    ['of another length than its card says', makeNetwork(OUR_KIND), { bytes: 12 }],
    ['that is too big', makeNetwork(OUR_KIND), { bytes: 4_000_000_000 }],
    ['that takes no marks', makeNetwork({ ...OUR_KIND, names: ['image'] }), {}],
    ['whose answer has another shape', makeNetwork({ ...OUR_KIND, axis: 2 }), {}],
  ])('%s is named once, and its tasks are done without it', async (_, bytes, changes) => {
    const { engine, timesSaid } = await startWithOurKind(bytes, changes);
    expect(await cutDisc(engine)).toEqual(RIGHT);
    expect(await cutDisc(engine)).toEqual(RIGHT);
    await waitFor(async () => timesSaid('matting_network_unusable') > 0);
    expect(timesSaid('matting_network_unusable')).toBe(1);
  });
});

function startWithOperators(bytes: Uint8Array, env: Record<string, string> = {}): Promise<Started> {
  return startWith(bytes, { input: { side: 1024, mean: [0.5, 0.5, 0.5], scale: [0.02, 0.02, 0.02] } }, env);
}

describe("an operator's network", { timeout: 120_000 }, () => {
  const slow = makeNetwork({ burden: 3000 });

  it('that takes too long is left out, and its job is done without it', async () => {
    const { engine } = await startWithOperators(makeNetwork({ burden: 8000 }), { ENGINE_STILL_SECONDS: '4' });
    expect(await cutDisc(engine)).toEqual(RIGHT);
  });

  it('whose loading kills the worker is left out, and its job is done without it', async () => {
    const { engine } = await startWithOperators(slow);
    const { lines, end } = beginTask(engine, REMOVE, { pictures: { image_url: await drawDisc() } });
    await waitFor(async () => lines.length > 1);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // seconds of trying it out lie ahead
    for (const pid of workersOf(engine)) process.kill(pid, 'SIGKILL');
    expect((await end).end.kind).toBe('done');
  });
});
