import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { NOT_FOUND, type Wire } from './wire.ts';
import type { Answer } from './http.ts';

/** `GET /files/<id>/<name>`: public to whoever knows the id, like on fal's own file host. */
export async function answerFile(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  [id, name]: string[],
): Promise<Answer | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, body: { detail: 'Method not allowed' }, headers: { allow: 'GET, HEAD' } };
  }
  const file = id && name ? await wire.files.findFile(id, name) : undefined;
  if (!file) return NOT_FOUND;
  response.writeHead(200, {
    'content-type': file.contentType,
    'content-length': file.sizeBytes,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=600',
  });
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(file.path), response);
  return undefined;
}
