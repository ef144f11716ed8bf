import { hash } from 'node:crypto';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { addRoute } from '../platform/http/route.ts';
import { cacheFor } from '../platform/cache-for.ts';
import type { Log } from '../platform/log.ts';
import type { Storage } from '../platform/data/storage.ts';

/** The stock portraits: pictures and a `models.json`, replaceable by the operator. Ids are hashes of the pictures. */

export type HeadshotModel = {
  id: string;
  name: string;
  contentType: string;
  fileName: string;
  /** The picture; undefined if it was removed since it was listed. */
  read: () => Promise<Buffer | undefined>;
};

export type HeadshotModels = {
  /** In the order of `models.json`. @throws AppError temporarily_unavailable if they cannot be read */
  list: () => Promise<HeadshotModel[]>;
  find: (id: string) => Promise<HeadshotModel | undefined>;
};

type HeadshotModelsOptions = { storage: Pick<Storage, 'readWhole'>; clock: Clock; log: Log };

const LIST_FILE = 'models.json';
const listSchema = z
  .array(
    z.object({ file: z.string().regex(/^[\w-][\w.-]*\.(jpe?g|png|webp)$/i), name: z.string().trim().min(1).max(80) }),
  )
  .max(200);
// An operator's change takes effect after this time, without a restart.
const CACHE_MS = 30_000;
const MAX_BYTES = 12 * 1024 * 1024;

export function openHeadshotModels(options: HeadshotModelsOptions): HeadshotModels {
  const read = cacheFor(CACHE_MS, options.clock, () => readModels(options));
  const list = () =>
    read().catch((cause: unknown) => {
      options.log.error({ err: cause }, 'the stock portraits cannot be read');
      throw new AppError('temporarily_unavailable', { cause, retryAfterSeconds: 10 });
    });
  return { list, find: async (id) => (await list()).find((model) => model.id === id) };
}

/** Skips and logs a missing or broken picture. */
async function readModels({ storage, log }: HeadshotModelsOptions): Promise<HeadshotModel[]> {
  const list = await storage.readWhole(LIST_FILE);
  if (list === undefined) throw new Error(`${LIST_FILE} is not there`);
  const entries = listSchema.parse(JSON.parse(list.toString('utf8')));
  const models: HeadshotModel[] = [];
  for (const { file, name } of entries) {
    try {
      models.push(await readModel(storage, file, name));
    } catch (error) {
      log.error({ err: error, file }, 'a stock portrait is left out');
    }
  }
  return models;
}

async function readModel(storage: Pick<Storage, 'readWhole'>, file: string, name: string): Promise<HeadshotModel> {
  const content = await storage.readWhole(file);
  if (content === undefined) throw new Error('it is not there');
  if (content.byteLength > MAX_BYTES) throw new Error('larger than 12 MB');
  const picture = sharp(content, { failOn: 'error' });
  // Decodes all of it.
  await picture.stats();
  const { format } = await picture.metadata();
  const digest = hash('sha256', content, 'buffer').subarray(0, 16).toString('base64url');
  return {
    id: `mdl_${digest}`,
    name,
    contentType: `image/${format}`,
    fileName: `${digest}${extname(file).toLowerCase()}`,
    read: () => storage.readWhole(file),
  };
}

type WithFile = { Params: { file: string } };

export function addHeadshotModelRoutes(http: FastifyInstance, models: HeadshotModels): void {
  addRoute(http, 'get /headshot-models', async () => ({
    items: (await models.list()).map(({ id, name, fileName }) => ({
      id,
      name,
      imageUrl: `/assets/headshot-models/${fileName}`,
    })),
    nextCursor: null,
  }));
  // The name is a hash of the bytes, so the picture never changes.
  http.get<WithFile>('/assets/headshot-models/:file', async (request, reply) => {
    const model = (await models.list()).find(({ fileName }) => fileName === request.params.file);
    const content = await model?.read();
    if (model === undefined || content === undefined) throw new AppError('not_found');
    return reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(model.contentType).send(content);
  });
}
