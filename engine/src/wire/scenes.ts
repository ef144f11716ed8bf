import type { FastifyInstance } from 'fastify';
import { sendFault } from './http.ts';

/** The engine's own scenes, open to all: `GET /scenes` lists them, `GET /scenes/<id>.webp` shows one. */
export function addSceneRoutes(http: FastifyInstance): void {
  // Loaded when asked for: reading the plates' words needs parts that this process otherwise does without.
  const strip = () => import('../scenes/strip.ts');
  http.get('/scenes', async () => {
    const { listScenes } = await strip();
    return { scenes: listScenes().map(({ id, words }) => ({ id, words, picture: `/scenes/${id}.webp` })) };
  });
  http.get<{ Params: { id: string } }>('/scenes/:id.webp', async (request, reply) => {
    const picture = await (await strip()).findThumbnail(request.params.id);
    if (!picture) return sendFault(reply, 404, 'not found');
    return reply.headers({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=86400' }).send(picture);
  });
}
