import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from '@plinth/contract/generations';
import { toolIds } from '@plinth/contract/tools';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Db, transaction } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { keepFor } from '../platform/keep-for.ts';
import type { Log } from '../platform/log.ts';
import type { Row } from '../platform/data/rows.ts';
import { addRoute } from '../platform/http/route.ts';
import type { GenerationOptions } from './routes.ts';

/** The engine's own scenes. The process beside the engine stores them, so that web processes can show them. */

const listSchema = z.looseObject({
  scenes: z
    .array(
      z.looseObject({
        id: z.string().regex(/^[a-z0-9-]{1,60}$/),
        words: z.string().min(1).max(200),
        picture: z.string().regex(/^\/scenes\/[a-z0-9-]{1,60}\.webp$/),
      }),
    )
    .max(200),
});

type SceneRow = Row<'scenes', 'id' | 'words' | 'picture'>;

const ASK_TIME_MS = 10_000;
const ASK_AGAIN_MS = 10_000;

/** Writes down which scenes the engine has; asks again until it answers or the process stops. */
export async function publishScenes(db: Db, engineUrl: string, log: Log, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await replaceScenes(db, await askForScenes(engineUrl));
    } catch (error) {
      log.warn({ err: error }, "the engine's scenes cannot be read");
      await sleep(ASK_AGAIN_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    }
  }
}

async function askForScenes(engineUrl: string): Promise<SceneRow[]> {
  const ask = async (path: string) => {
    const answer = await fetch(`${engineUrl}${path}`, { signal: AbortSignal.timeout(ASK_TIME_MS) });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
    return answer;
  };
  const { scenes } = listSchema.parse(await (await ask('/scenes')).json());
  const rows: SceneRow[] = [];
  for (const { id, words, picture } of scenes) {
    rows.push({ id, words, picture: Buffer.from(await (await ask(picture)).arrayBuffer()) });
  }
  return rows;
}

async function replaceScenes(db: Db, scenes: SceneRow[]): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`lock table scenes in exclusive mode`.execute(tx);
    await sql`delete from scenes`.execute(tx);
    for (const [position, { id, words, picture }] of scenes.entries()) {
      await sql`
        insert into scenes (id, position, words, picture)
        values (${id}, ${position}, ${words}, ${picture})`.execute(tx);
    }
  });
}

type KnownScenes = { list: Scene[]; pictures: Map<string, Buffer> };

// Another engine's scenes are seen after this time, without a restart.
const READ_AGAIN_MS = 60_000;

type WithFile = { Params: { file: string } };

export function addSceneRoutes(
  http: FastifyInstance,
  { db, clock, providerOf }: Pick<GenerationOptions, 'db' | 'clock' | 'providerOf'>,
): void {
  const readKept = keepFor(READ_AGAIN_MS, clock, () => readScenes(db));
  const read = async (): Promise<KnownScenes> => {
    const kept = await readKept();
    // Before the engine has written them there are none.
    return kept.list.length > 0 ? kept : readScenes(db);
  };
  const isServed = toolIds.some((id) => providerOf(id).servedBy.kind === 'built-in');
  addRoute(http, 'get /scenes', async () => ({ items: isServed ? (await read()).list : [] }));
  // The name is made of the bytes, so a picture under it never changes.
  http.get<WithFile>('/assets/scenes/:file', async (request, reply) => {
    const picture = (await read()).pictures.get(request.params.file);
    if (picture === undefined) throw new AppError('not_found');
    return reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('image/webp').send(picture);
  });
}

async function readScenes(db: Db): Promise<KnownScenes> {
  const found = await sql<SceneRow>`select id, words, picture from scenes order by position`.execute(db);
  const pictures = new Map<string, Buffer>();
  const list = found.rows.map(({ id, words, picture }) => {
    const file = `${hash('sha256', picture, 'base64url').slice(0, 16)}.webp`;
    pictures.set(file, picture);
    return { id, words, imageUrl: `/assets/scenes/${file}` };
  });
  return { list, pictures };
}
