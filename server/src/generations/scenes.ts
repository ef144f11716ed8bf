import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Scene } from '@plinth/contract/generations';
import { toolIds } from '@plinth/contract/tools';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { addRoute } from '../platform/http/route.ts';
import type { GenerationOptions } from './routes.ts';

/** The engine's data, read from the same repository. */
const ASSETS = new URL('../../../engine/assets/', import.meta.url);

type Plates = { plates: { id: string; says: string }[] };

/** The engine's scenes, public; none if hosted providers serve every tool. */
export function addSceneRoutes(http: FastifyInstance, { providerOf }: Pick<GenerationOptions, 'providerOf'>): void {
  const items: Scene[] = [];
  const pictures = new Map<string, Buffer>();
  if (toolIds.some((id) => providerOf(id).servedBy.kind === 'built-in')) {
    const { plates } = JSON.parse(readFileSync(new URL('plates/plates.json', ASSETS), 'utf8')) as Plates;
    for (const { id, says } of plates) {
      const picture = readFileSync(new URL(`thumbnails/${id}.webp`, ASSETS));
      const file = `${hash('sha256', picture, 'base64url').slice(0, 16)}.webp`;
      pictures.set(file, picture);
      items.push({ id, words: says, imageUrl: `/assets/scenes/${file}` });
    }
  }
  addRoute(http, 'get /scenes', () => ({ items }));
  // The name is a hash of the bytes, so the picture never changes.
  http.get<{ Params: { file: string } }>('/assets/scenes/:file', async (request, reply) => {
    const picture = pictures.get(request.params.file);
    if (picture === undefined) throw new AppError('not_found');
    return reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('image/webp').send(picture);
  });
}
