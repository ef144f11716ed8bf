import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { type EngineModel, modelsFolder, saveEngineModel } from '../platform/engine-model.ts';
import { download, DownloadError } from './download.ts';

/** Brings a matting network into the data folder: fetched or copied, tried out by the engine's own code, noted. */

export class ModelError extends Error {}

export type InstallOptions = {
  repositoryDir: string;
  dataDir: string;
  clock: Clock;
  /** Address or path of the file. */
  source: string;
  /** ENGINE_MATTING_* settings: a preset, or the single values. */
  settings: Record<string, string>;
  /** What the file's SHA-256 must be, lower-case hex, when the operator knows. */
  sha256?: string;
  tell: (line: string) => void;
  maxBytes?: number;
  pauseMs?: number;
};

// A protobuf message, which an ONNX file is, cannot be longer.
const MOST_BYTES = 2 * 1024 ** 3;
const CHECK_MS = 180_000;

/** @throws ModelError, with a sentence for the operator; what was installed before then stays in use */
export async function installEngineModel(options: InstallOptions): Promise<EngineModel> {
  const folder = modelsFolder(options.dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkSettings(options, join(folder, 'none'));
  const draft = join(folder, `${createHash('sha256').update(options.source).digest('hex').slice(0, 16)}.part`);
  await bring(options, draft);
  try {
    const { sha256, bytes } = await measure(draft);
    if (options.sha256 !== undefined && options.sha256.toLowerCase() !== sha256) {
      throw new ModelError(`The file's SHA-256 is ${sha256}, not the one given.`);
    }
    const found = await tryOut(options, draft);
    if (found.ok === false) throw new ModelError(`The file is of no use: ${found.problem}.`);
    options.tell(`It runs: ${found.side} pixels, ${found.milliseconds} ms a picture, ${found.megabytes} MB of memory.`);
    const model: EngineModel = {
      file: `${sha256}.onnx`,
      sha256,
      bytes,
      settings: options.settings,
      source: options.source,
      installedAt: options.clock.now().toISOString(),
    };
    await rename(draft, join(folder, model.file));
    saveEngineModel(options.dataDir, model);
    return model;
  } finally {
    await rm(draft, { force: true }); // a file that was refused: the next try begins anew
  }
}

export function removeEngineModel(dataDir: string): void {
  saveEngineModel(dataDir, undefined);
}

async function bring(options: InstallOptions, draft: string): Promise<void> {
  const maxBytes = options.maxBytes ?? MOST_BYTES;
  if (!/^[a-z]+:\/\//i.test(options.source)) return copyIn(options.source, draft, maxBytes);
  const { source: url, pauseMs } = options;
  const tell = tellTenths(options.tell);
  try {
    await download({ url, path: draft, maxBytes, tell, ...(pauseMs !== undefined && { pauseMs }) });
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    if (!error.mayGoOn) await Promise.all([draft, `${draft}.json`].map((path) => rm(path, { force: true })));
    throw new ModelError(error.message, { cause: error });
  }
}

async function copyIn(source: string, draft: string, maxBytes: number): Promise<void> {
  const facts = await stat(source).catch((error: unknown) => {
    throw new ModelError(`There is no file ${source}.`, { cause: error });
  });
  if (!facts.isFile()) throw new ModelError(`${source} is no file.`);
  if (facts.size > maxBytes) throw new ModelError(`The file is larger than ${Math.floor(maxBytes / 1024 ** 2)} MiB.`);
  await copyFile(source, draft);
}

/** One line for each tenth of the file, or every 50 MB of a file of unknown length. */
function tellTenths(tell: (line: string) => void) {
  let told = -1;
  return ({ bytes, totalBytes }: { bytes: number; totalBytes: number | undefined }) => {
    const step = Math.floor(totalBytes === undefined ? bytes / 50e6 : (10 * bytes) / totalBytes);
    if (step <= told) return;
    told = step;
    const megabytes = (bytes / 1e6).toFixed(1);
    tell(totalBytes === undefined ? `${megabytes} MB` : `${step * 10} % (${megabytes} MB)`);
  };
}

async function measure(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { sha256: hash.digest('hex'), bytes: (await stat(path)).size };
}

const checkSchema = z.union([
  z.object({ ok: z.literal(true), side: z.number(), milliseconds: z.number(), megabytes: z.number() }),
  z.object({ ok: z.literal(false), problem: z.string(), areSettingsWrong: z.boolean() }),
]);

/** Before anything is fetched: a wrong word should not cost a download. */
async function checkSettings(options: InstallOptions, path: string): Promise<void> {
  const found = await tryOut(options, path);
  if (found.ok === false && found.areSettingsWrong)
    throw new ModelError(`${found.problem} (options --preset, --size, --mean, --deviation, --sigmoid, --stretch).`);
}

/** In a process of its own: the file may be anything, and may take that process with it. */
async function tryOut(options: InstallOptions, path: string): Promise<z.infer<typeof checkSchema>> {
  const program = join(options.repositoryDir, 'engine', 'src', 'check-network.ts');
  const child = spawn(process.execPath, [program], {
    env: { ...options.settings, ENGINE_MATTING_MODEL: path },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: CHECK_MS,
    killSignal: 'SIGKILL',
  });
  const lines = (await text(child.stdout)).trim().split('\n');
  try {
    return checkSchema.parse(JSON.parse(lines.at(-1) ?? ''));
  } catch {
    // It died of the file, or took too long, or another thing than the engine was started: all the same to us.
    return { ok: false, problem: 'trying it out ended the process', areSettingsWrong: false };
  }
}
