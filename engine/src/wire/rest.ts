// rest.fal.ai (and rest.alpha.fal.ai, its name before 2026): tokens, uploads, the key set of webhooks.
import type { IncomingMessage } from 'node:http';
import { refuse, type ProblemEntry } from '../problem.ts';
import { signToken } from '../tokens.ts';
import { readJson, type Answer } from './http.ts';
import { initiateUpload } from './uploads.ts';
import { NOT_FOUND, type Wire } from './wire.ts';

const MAX_BODY_BYTES = 16 * 1024;
const MAX_APPS = 50;
const MAX_TOKEN_SECONDS = 3600;

export async function answerRest(wire: Wire, request: IncomingMessage, path: string): Promise<Answer> {
  if (request.method !== 'POST') return NOT_FOUND;
  if (path === 'storage/upload/initiate') return initiateUpload(wire, request, false);
  if (path === 'storage/upload/initiate-multipart') return initiateUpload(wire, request, true);
  return path === 'tokens' ? giveToken(wire, request) : NOT_FOUND;
}

/** The public half of the key that webhooks are signed with; open to all, like fal's. */
export function answerKeySet(wire: Wire): Answer {
  return { status: 200, body: wire.webhookKeys, headers: { 'cache-control': 'public, max-age=3600' } };
}

/** `{"allowed_apps":["<alias>"],"token_expiration":<seconds>}` → the token as a JSON string. */
async function giveToken(wire: Wire, request: IncomingMessage): Promise<Answer> {
  const body = ((await readJson(request, MAX_BODY_BYTES)) ?? {}) as {
    allowed_apps?: unknown;
    token_expiration?: unknown;
  };
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
  return { status: 200, body: signToken(wire.tokens, apps, seconds) };
}

function isListOfAliases(apps: unknown): apps is string[] {
  const isAlias = (app: unknown) => typeof app === 'string' && /^[\w.-]{1,100}$/.test(app);
  return Array.isArray(apps) && apps.length > 0 && apps.length <= MAX_APPS && apps.every(isAlias);
}

function isTokenLife(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TOKEN_SECONDS;
}
