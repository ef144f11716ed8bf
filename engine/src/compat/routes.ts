import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse, type ProblemEntry } from '../problem.ts';
import { getBody, readQuery, sendAnswer, type Answer } from '../wire/http.ts';
import { askForKey, hasKey, NO_KEY } from '../wire/permission.ts';
import { initiateUpload, MAX_WORDS_BYTES } from '../wire/uploads.ts';
import type { Wire } from '../wire/wire.ts';
import { addRunRoutes } from './run.ts';
import { addStatusStream } from './status-stream.ts';
import { isTokenFor, signToken, type TokenMint } from './tokens.ts';
import { addPartRoutes } from './upload-parts.ts';
import type { PublicKeySet } from './webhook-key.ts';

/** The parts of fal's wire that this product never calls (docs/decisions/009-engine-wire.md). */

/** What these routes need beside the wire's own, put together in main.ts. */
export type Compat = Wire & { tokens: TokenMint; webhookKeys: PublicKeySet };

const MAX_APPS = 50;
const MAX_TOKEN_SECONDS = 3600;

export async function addCompatRoutes(http: FastifyInstance, compat: Compat): Promise<void> {
  const options = { bodyLimit: MAX_WORDS_BYTES, onRequest: askForKey(compat) };
  http.post('/rest/tokens', options, (request, reply) => sendAnswer(reply, giveToken(compat, request)));
  http.post('/rest/storage/upload/initiate-multipart', options, async (request, reply) =>
    sendAnswer(reply, await initiateUpload(compat, request, true)),
  );
  // The public half of the key that webhooks are signed with; open to all, like fal's.
  http.get('/rest/.well-known/jwks.json', (_request, reply) => {
    const headers = { 'cache-control': 'public, max-age=3600' };
    return sendAnswer(reply, { status: 200, body: compat.webhookKeys, headers });
  });
  await addPartRoutes(http, compat);
  await http.register(async (scope) => {
    // Browsers hold tokens, and stream with them; everything else takes the key.
    scope.addHook('onRequest', async (request, reply) => {
      if (hasKey(compat, request) || hasStreamToken(compat, request)) return;
      return sendAnswer(reply, NO_KEY);
    });
    addRunRoutes(scope, compat);
    addStatusStream(scope, compat);
  });
}

/** A temporary token in the query, for the app (`owner/alias/…`) that the path names. */
export function hasToken(compat: Compat, query: URLSearchParams, app: string): boolean {
  const token = query.get('fal_jwt_token');
  return token !== null && isTokenFor(compat.tokens, token, app.split('/')[1] ?? '');
}

function hasStreamToken(compat: Compat, { url }: FastifyRequest): boolean {
  const [, app] = /^\/(?:queue|run)\/(.+)\/stream\/?(?:\?|$)/.exec(url) ?? [];
  return app !== undefined && hasToken(compat, readQuery({ url }), app);
}

/** `{"allowed_apps":["<alias>"],"token_expiration":<seconds>}` → the token as a JSON string. */
function giveToken(compat: Compat, request: FastifyRequest): Answer {
  const body = (getBody(request) ?? {}) as { allowed_apps?: unknown; token_expiration?: unknown };
  const { allowed_apps: apps, token_expiration: seconds } = body;
  const problems: ProblemEntry[] = [];
  if (!isListOfAliases(apps)) {
    problems.push({ loc: ['body', 'allowed_apps'], msg: 'Input should be a list of app aliases', type: 'list_type' });
  }
  if (!isTokenLife(seconds)) {
    const msg = `Input should be a whole number of seconds from 1 to ${MAX_TOKEN_SECONDS}`;
    problems.push({ loc: ['body', 'token_expiration'], msg, type: 'int_type' });
  }
  if (!isListOfAliases(apps) || !isTokenLife(seconds)) return refuse(problems);
  return { status: 200, body: signToken(compat.tokens, apps, seconds) };
}

function isListOfAliases(apps: unknown): apps is string[] {
  const isAlias = (app: unknown) => typeof app === 'string' && /^[\w.-]{1,100}$/.test(app);
  return Array.isArray(apps) && apps.length > 0 && apps.length <= MAX_APPS && apps.every(isAlias);
}

function isTokenLife(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TOKEN_SECONDS;
}
