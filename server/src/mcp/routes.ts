import { IMAGE_MAX_BYTES, JSON_MAX_BYTES } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { requireKey } from '../platform/http/caller.ts';
import { originOf } from '../platform/http/http.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { makeApiClient } from './api-client.ts';

type AgentOptions = { limits: RequestLimits; publicOrigin: string | undefined; uploadSeconds: number };

/** One base64 picture and the JSON around it. */
const BODY_BYTES = Math.ceil((IMAGE_MAX_BYTES * 4) / 3) + JSON_MAX_BYTES;
/** Concurrent requests per process: a base64 picture stays in memory while its request lasts. */
export const MAX_LARGE_REQUESTS = 24;

/** The endpoint of agents: `POST /mcp`, with an API key and never with a cookie. */
export function addAgentRoutes(http: FastifyInstance, { limits, publicOrigin, uploadSeconds }: AgentOptions): void {
  let largeRequests = 0;
  const onlyWithKey = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.caller.kind !== 'key') reply.header('WWW-Authenticate', 'Bearer');
    await limits.count('agent', requireKey(request).keyId);
  };
  const onlyWithCapacity = async (request: FastifyRequest, reply: FastifyReply) => {
    if (Number(request.headers['content-length'] ?? BODY_BYTES) <= JSON_MAX_BYTES) return;
    if (largeRequests >= MAX_LARGE_REQUESTS) throw new AppError('temporarily_unavailable', { retryAfterSeconds: 5 });
    largeRequests += 1;
    reply.raw.once('close', () => (largeRequests -= 1));
  };
  addMetadata(http, publicOrigin);
  const config = { bodySeconds: uploadSeconds };
  http.post(
    '/mcp',
    { onRequest: [onlyWithKey, onlyWithCapacity], bodyLimit: BODY_BYTES, config },
    async (request, reply) => {
      const { answerAgent } = await import('./server.ts');
      const webRequest = new Request(new URL(request.url, 'http://localhost'), {
        method: 'POST',
        headers: request.headers as Record<string, string>,
      });
      const call = { callApi: makeApiClient(http, request), origin: originOf(request, publicOrigin) };
      const { response, close } = await answerAgent(webRequest, request.body, call);
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
