import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../config.ts';
import { modelCard, readEngineSettings } from '../platform/machine/engine-process.ts';
import { type Command, CommandError, type CommandInput } from './arguments.ts';

/** Installs another cut-out network for the built-in engine: a card and its ONNX file, tested before use. */
export const engineModelCommands: Command[] = [
  {
    usage: 'engine-model install CARD.json|https://… [--sha256 HEX]',
    does: 'gives the engine another cut-out network',
    changes: true,
    run: async ({ words: [source = ''], options, environment }) => {
      const sha256 = await install(findFolder(environment), source, options.sha256, environment);
      const text = `Installed, SHA-256 ${sha256}. Check that its licence allows your use, and restart the product.`;
      return { json: { sha256 }, text };
    },
  },
  {
    usage: 'engine-model remove',
    does: "goes back to the engine's own network",
    changes: true,
    run: async ({ environment }) => {
      await rm(findFolder(environment), { recursive: true, force: true });
      const text = 'Removed. The product’s own network takes its place with the next picture.';
      return { json: { installed: false }, text };
    },
  },
];

const findFolder = (environment: CommandInput['environment']) => dirname(modelCard(readConfig(environment).DATA_DIR));

const MAX_BYTES = 2 * 1024 ** 3; // the limit of a protobuf message such as an ONNX file
const FETCH_MS = 15 * 60_000;
const cardSchema = z.object({ file: z.string().regex(/^[\w.-]+$/), sha256: z.string() });

/** Installs a network, keeping the previous one if it does not work. Returns its SHA-256. @throws CommandError */
async function install(
  place: string,
  source: string,
  known: string | undefined,
  environment: CommandInput['environment'],
) {
  const [draft, old] = [`${place}.new`, `${place}.old`];
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const card = join(draft, basename(modelCard('')));
    await copy(source, card);
    const { file, sha256 } = readCard(await readFile(card, 'utf8'));
    if (known !== undefined && known.toLowerCase() !== sha256)
      throw new CommandError(1, `The card names the network ${sha256}, not the one given.`);
    await copy(isAddress(source) ? new URL(file, source).href : join(dirname(source), file), join(draft, file));
    await verifyCard(card, environment);
    await rename(place, old).catch(() => undefined); // None was installed.
    await rename(draft, place);
    return sha256;
  } finally {
    await rm(old, { recursive: true, force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

const isAddress = (source: string) => /^https?:/.test(source);

async function copy(source: string, path: string): Promise<void> {
  try {
    await pipeline(await open(source), bound, createWriteStream(path, { mode: 0o600 }));
  } catch (cause) {
    throw new CommandError(1, `${source} could not be read: ${cause instanceof Error ? cause.message : 'unknown'}.`);
  }
}

async function open(source: string): Promise<Readable> {
  if (!isAddress(source)) return createReadStream(source);
  if (!source.startsWith('https:')) throw new Error('use an https address');
  const { ok, status, body } = await fetch(source, { signal: AbortSignal.timeout(FETCH_MS) });
  if (!ok || body === null) throw new Error(`the answer is ${status}`);
  return Readable.fromWeb(body);
}

async function* bound(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.byteLength;
    if (total > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    yield chunk;
  }
}

function readCard(card: string): z.infer<typeof cardSchema> {
  try {
    return cardSchema.parse(JSON.parse(card));
  } catch {
    throw new CommandError(1, 'The card is no JSON with the file and the sha256 of a network.');
  }
}

const CHECK_PROGRAM = resolve(import.meta.dirname, '..', '..', '..', 'engine', 'src', 'check-network.ts');

/** Tests the network in a separate process, which the file may crash. */
async function verifyCard(card: string, environment: CommandInput['environment']): Promise<void> {
  const own = { ENGINE_CUTOUT_CARD: card, ENGINE_DATA_DIR: dirname(card), ENGINE_KEY: 'none' };
  const env = { ...readEngineSettings(environment), ...own };
  await promisify(execFile)(process.execPath, [CHECK_PROGRAM], { env }).catch(({ stdout }: { stdout?: string }) => {
    throw new CommandError(1, `The network is of no use: ${stdout || 'trying it out ended the process'}.`);
  });
}
