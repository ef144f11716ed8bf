import type { FastifyInstance } from 'fastify';
import { addFileRoutes } from './files.ts';
import { NOT_FOUND, sendAnswer } from './http.ts';
import { askForKey, hasKey, NO_KEY } from './permission.ts';
import { addQueueRoutes } from './queue.ts';
import { addSceneRoutes } from './scenes.ts';
import { addStabilityRoutes } from './stability.ts';
import { addUploadRoutes } from './uploads.ts';
import type { Wire } from './wire.ts';

/** Every route that the product calls: fal's hosts as path prefixes (/queue, /rest), uploads, files, Stability. */
export async function addRoutes(http: FastifyInstance, wire: Wire): Promise<void> {
  http.get('/health', (_request, reply) => sendAnswer(reply, { status: 200, body: { status: 'ok' } }));
  await http.register(async (scope) => {
    scope.addHook('onRequest', askForKey(wire));
    addQueueRoutes(scope, wire);
  });
  await addUploadRoutes(http, wire);
  addFileRoutes(http, wire);
  addSceneRoutes(http);
  await addStabilityRoutes(http, wire);
  // What there is below fal's hosts is nobody's business who has no key.
  http.setNotFoundHandler((request, reply) => {
    const isClosed = /^\/(queue|run|rest)(\/|$)/.test(request.url) && !hasKey(wire, request);
    return sendAnswer(reply, isClosed ? NO_KEY : NOT_FOUND);
  });
}
