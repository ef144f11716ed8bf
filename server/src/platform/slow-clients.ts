import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

/** How long the head of a request may take. */
export const HEAD_MS = 20_000;
const BODY_MS = 30_000;

/** Refuses a body that is still on its way after half a minute. A form has limits of its own, it may be large. */
export function limitBodies(http: FastifyInstance): void {
  http.addHook('preParsing', async ({ raw, headers }) => {
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || raw.complete || headers['content-type']?.startsWith('multipart/') === true) return;
    const timer = setTimeout(() => {
      // Told like an error of the wire, so that whoever reads stops; the connection stays for the answer.
      if (raw.listenerCount('error') > 0) raw.emit('error', new AppError('request_timeout'));
    }, BODY_MS);
    for (const end of ['end', 'close']) raw.once(end, () => clearTimeout(timer));
  });
}
