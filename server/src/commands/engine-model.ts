import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { CARD_FILE, type EngineModel, modelsFolder, saveEngineModel } from '../platform/machine/engine-model.ts';
import { lockInstance } from '../platform/machine/instance-lock.ts';
import { type Command, type Given, ArgumentsError } from './arguments.ts';

/** Gives the built-in engine another cut-out network: a card and the ONNX file beside it, tried out before use. */
export const engineModelCommands: Command[] = [
  {
    name: 'engine-model',
    changes: true,
    words: { most: 2 },
    takes: ['sha256'],
    usage: [
      ['engine-model install CARD.json|https://… [--sha256 HEX] [--json]', 'gives the engine another cut-out network'],
      ['engine-model remove [--json]', "goes back to the engine's own network"],
    ],
    run: runEngineModel,
  },
];

/** A network was not installed; the message says why, for the operator. */
export class ModelError extends Error {}

async function runEngineModel({ words: [action, source], options, ...given }: Given): Promise<number> {
  const { print, environment, err } = given;
  const { DATA_DIR: dataDir } = readConfig(environment);
  if (action === 'remove' && source === undefined) {
    saveEngineModel(dataDir, undefined);
    print({ installed: false }, 'Removed. Restart the product to go back to its own network.');
    return 0;
  }
  if (action !== 'install' || source === undefined) throw new ArgumentsError();
  const lock = lockInstance(dataDir, 'engine-model');
  try {
    const model = await installEngineModel(dataDir, source, options.sha256);
    print(
      model,
      `Installed, SHA-256 ${model.sha256}. Check that its licence allows your use, and restart the product.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    err(`${error.message}\n`);
    return 1;
  } finally {
    lock.release();
  }
}

const cardSchema = z.object({ file: z.string().regex(/^[\w.-]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const MOST_CARD_BYTES = 64 * 1024;
const MOST_BYTES = 2 * 1024 ** 3; // a protobuf message, which an ONNX file is, cannot be longer
const FETCH_MS = 15 * 60_000;

/**
 * Tries a card and its network out and installs them. @param sha256 of the network, if known from elsewhere
 * @throws ModelError; what was installed before then stays in use
 */
export async function installEngineModel(dataDir: string, source: string, sha256?: string): Promise<EngineModel> {
  await mkdir(modelsFolder(dataDir), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(modelsFolder(dataDir), 'new-'));
  try {
    const cardText = await text(await openSource(source, MOST_CARD_BYTES));
    const card = readCard(cardText);
    if (sha256 !== undefined && sha256.toLowerCase() !== card.sha256)
      throw new ModelError(`The card names the network ${card.sha256}, not the one given.`);
    await writeFile(join(draft, CARD_FILE), cardText, { mode: 0o600 });
    const network = await openSource(besides(source, card.file), MOST_BYTES);
    await pipeline(network, createWriteStream(join(draft, card.file), { mode: 0o600 })).catch((cause: unknown) => {
      throw cause instanceof ModelError ? cause : new ModelError(`${card.file} could not be read.`, { cause });
    });
    const workerMegabytes = await tryOut(join(draft, CARD_FILE));
    const folder = join(modelsFolder(dataDir), card.sha256);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
    const installedAt = systemClock.now().toISOString();
    const model = { sha256: card.sha256, workerMegabytes, source, installedAt };
    saveEngineModel(dataDir, model);
    return model;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const isAddress = (source: string) => /^https?:/.test(source);

function besides(source: string, file: string): string {
  return isAddress(source) ? new URL(file, source).href : join(dirname(resolve(source)), file);
}

/** @throws ModelError where it cannot be opened, or, while it is read, where it is too long */
async function openSource(source: string, mostBytes: number): Promise<Readable> {
  const bytes = isAddress(source) ? await openAddress(source) : createReadStream(source);
  let total = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.byteLength;
      done(total > mostBytes ? new ModelError(`${source} is longer than ${mostBytes} bytes.`) : null, chunk);
    },
  });
  bytes.once('error', (cause: unknown) => bounded.destroy(new ModelError(`${source} could not be read.`, { cause })));
  return bytes.pipe(bounded);
}

async function openAddress(address: string): Promise<Readable> {
  if (!address.startsWith('https:')) throw new ModelError('Use an https address.');
  const answer = await fetch(address, { signal: AbortSignal.timeout(FETCH_MS) }).catch((cause: unknown) => {
    throw new ModelError(`${address} cannot be reached.`, { cause });
  });
  if (!answer.ok || answer.body === null) throw new ModelError(`${address} answered ${answer.status}.`);
  return Readable.fromWeb(answer.body);
}

function readCard(cardText: string): z.infer<typeof cardSchema> {
  try {
    return cardSchema.parse(JSON.parse(cardText));
  } catch (cause) {
    throw new ModelError('The card is no JSON with the file and the sha256 of a network.', { cause });
  }
}

const CHECK_PROGRAM = resolve(import.meta.dirname, '..', '..', '..', 'engine', 'src', 'check-network.ts');
const CHECK_MS = 180_000;
const PICTURE_MEGABYTES = 512; // what a worker holds of a large picture while the network runs
const USUAL_WORKER_MEGABYTES = 1024; // the engine's own ceiling
const checkSchema = z.union([
  z.object({ ok: z.literal(true), megabytes: z.number().int().positive() }),
  z.object({ ok: z.literal(false), problem: z.string() }),
]);

/** What a worker may take with the network, in MB. In a process of its own: the file may take that with it. */
async function tryOut(card: string): Promise<number> {
  const child = spawn(process.execPath, [CHECK_PROGRAM, card], {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: CHECK_MS,
    killSignal: 'SIGKILL',
  });
  const last = (await text(child.stdout)).trim().split('\n').at(-1) ?? '';
  const said = z
    .string()
    .transform((line) => JSON.parse(line) as unknown)
    .pipe(checkSchema)
    .safeParse(last);
  if (!said.success) throw new ModelError('The network is of no use: trying it out ended the process.');
  if (!said.data.ok) throw new ModelError(`The network is of no use: ${said.data.problem}.`);
  return Math.max(USUAL_WORKER_MEGABYTES, PICTURE_MEGABYTES + said.data.megabytes);
}
