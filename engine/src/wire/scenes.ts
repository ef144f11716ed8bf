import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { sendFault } from './http.ts';

const THUMBNAILS = new URL('../../assets/thumbnails/', import.meta.url);

/** The engine's own scenes, open to all: `GET /scenes` lists them, `GET /scenes/<id>.webp` shows one. */
export function addSceneRoutes(http: FastifyInstance): void {
  // Loaded when asked for: reading the plates' words needs parts that this process otherwise does without.
  const list = async () => (await import('../scenes/plates.ts')).listPlates();
  http.get('/scenes', async () => ({
    scenes: (await list()).map(({ id, says }) => ({ id, words: says, picture: `/scenes/${id}.webp` })),
  }));
  http.get<{ Params: { id: string } }>('/scenes/:id.webp', async (request, reply) => {
    const plate = (await list()).find(({ id }) => id === request.params.id);
    if (!plate) return sendFault(reply, 404, 'not found');
    const picture = await readFile(new URL(`${plate.id}.webp`, THUMBNAILS));
    return reply.headers({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=86400' }).send(picture);
  });
}
