import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOT_FOUND, sendAnswer } from './http.ts';
import type { Wire } from './wire.ts';

type FilePath = { Params: { id: string; name: string } };

/** `GET /files/<id>/<name>`: public to whoever knows the id, like on fal's own file host. */
export function addFileRoutes(http: FastifyInstance, wire: Wire): void {
  http.route<FilePath>({
    method: ['GET', 'HEAD'],
    url: '/files/:id/:name',
    handler: (request, reply) => sendFile(wire, request, reply, request.params),
  });
  http.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/files/*',
    handler: (_request, reply) =>
      sendAnswer(reply, { status: 405, body: { detail: 'Method not allowed' }, headers: { allow: 'GET, HEAD' } }),
  });
}

export async function sendFile(
  wire: Wire,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, name }: { id: string; name: string },
): Promise<FastifyReply> {
  const file = await wire.files.findFile(id, name);
  if (!file) return sendAnswer(reply, NOT_FOUND);
  reply.headers({
    'content-type': file.contentType,
    'content-length': file.sizeBytes,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=600',
  });
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(file.path));
}
