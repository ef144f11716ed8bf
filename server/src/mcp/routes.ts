import { IMAGE_MAX_BYTES, JSON_MAX_BYTES } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { requireKey } from '../platform/http/caller.ts';
import { originOf } from '../platform/http/http.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { askAs } from './ask.ts';

export type AgentOptions = { limits: RequestLimits; publicOrigin: string | undefined; uploadSeconds: number };

/** One base64 picture and the JSON around it. */
const BODY_BYTES = Math.ceil((IMAGE_MAX_BYTES * 4) / 3) + JSON_MAX_BYTES;
/** Concurrent requests per process: a base64 picture stays in memory while its request lasts. */
export const LARGE_AT_ONCE = 24;

/** The endpoint of agents: `POST /mcp`, with an API key and never with a cookie. */
export function addAgentRoutes(http: FastifyInstance, { limits, publicOrigin, uploadSeconds }: AgentOptions): void {
  let large = 0;
  const onlyWithKey = async (request: FastifyRequest, reply: FastifyReply) => {
    const metadata = `${originOf(request, publicOrigin)}/.well-known/oauth-protected-resource/mcp`;
    if (request.caller.kind !== 'key') reply.header('WWW-Authenticate', `Bearer resource_metadata="${metadata}"`);
    await limits.count('agent', requireKey(request).keyId);
  };
  const onlyWithRoom = async (request: FastifyRequest, reply: FastifyReply) => {
    if (Number(request.headers['content-length'] ?? BODY_BYTES) <= JSON_MAX_BYTES) return;
    if (large >= LARGE_AT_ONCE) throw new AppError('temporarily_unavailable', { retryAfterSeconds: 5 });
    large += 1;
    reply.raw.once('close', () => (large -= 1));
  };
  addMetadata(http, publicOrigin);
  const config = { bodySeconds: uploadSeconds };
  http.post(
    '/mcp',
    { onRequest: [onlyWithKey, onlyWithRoom], bodyLimit: BODY_BYTES, config },
    async (request, reply) => {
      const { answerAgent } = await import('./server.ts');
      const asked = new Request(new URL(request.url, 'http://localhost'), {
        method: 'POST',
        headers: request.headers as Record<string, string>,
      });
      const call = { ask: askAs(http, request), origin: originOf(request, publicOrigin) };
      const { response, close } = await answerAgent(asked, request.body, call);
      reply.raw.once('close', () => void close());
      // Prevents proxies from buffering progress.
      return reply.header('x-accel-buffering', 'no').send(response);
    },
  );
}

/** Protected resource metadata (RFC 9728) without an authorization server: users create keys by hand. */
function addMetadata(http: FastifyInstance, publicOrigin: string | undefined): void {
  for (const path of ['', '/mcp'])
    http.get(`/.well-known/oauth-protected-resource${path}`, async (request) => {
      const origin = originOf(request, publicOrigin);
      return {
        resource: `${origin}/mcp`,
        resource_name: 'Plinth',
        bearer_methods_supported: ['header'],
        resource_documentation: `${origin}/developers`,
      };
    });
}
