import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** Time limit of a request's headers. */
export const HEAD_MS = 20_000;
const BODY_MS = 30_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit of a JSON body that may be larger than others. */
    bodySeconds?: number;
  }
}

/** Rejects a body that has not arrived after half a minute. Forms may be large and have limits of their own. */
export function limitBodies(http: FastifyInstance): void {
  http.addHook('preParsing', ({ raw, headers, routeOptions: { config } }, _reply, _payload, done) => {
    done();
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || raw.complete || headers['content-type']?.startsWith('multipart/') === true) return;
    const timer = setTimeout(
      () => {
        // Emitted like a network error, so that reading stops; the connection stays open for the answer.
        if (raw.listenerCount('error') > 0) raw.emit('error', new AppError('request_timeout'));
      },
      config.bodySeconds === undefined ? BODY_MS : config.bodySeconds * 1000,
    );
    for (const end of ['end', 'close']) raw.once(end, () => clearTimeout(timer));
  });
}

const DRAIN_MS = 15_000;

/**
 * Fastify would close the connection after a rejected body, and the sender would lose the answer. Drains the rest for a
 * while, before the answer if the sender asked to close the connection.
 */
export function drainRefusedBodies(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode < 400) return done();
    reply.removeHeader('connection');
    if (request.raw.complete || reply.raw.shouldKeepAlive) return done();
    void drain(request.raw).then(() => done());
  });
  http.addHook('onResponse', (request, _reply, done) => {
    done();
    if (request.raw.complete) return;
    const timer = setTimeout(() => request.raw.destroy(), DRAIN_MS);
    // A reader that has stopped would hold the body back.
    request.raw
      .once('close', () => clearTimeout(timer))
      .unpipe()
      .resume();
  });
}

/** Resolves when the body has ended, the sender is gone, or the time is over. */
const drain = (body: IncomingMessage): Promise<void> =>
  finished(body.unpipe().resume(), { signal: AbortSignal.timeout(DRAIN_MS) }).catch(() => undefined);
