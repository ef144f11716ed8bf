import { generateKeyPair, hash, randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { errors, JWK, Provider } from 'oidc-provider';
import { z } from 'zod';
import type { Db } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { listHeaders, sendHtml, writePolicy } from '../platform/http/headers.ts';
import { newToken } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Row } from '../platform/data/rows.ts';
import type { OidcClient } from './oidc.ts';
import { renderAccountPage, renderConsentPage, renderEndPage } from './local-google-pages.ts';

/** A real OpenID Connect provider on this machine, so that the Google button works without credentials. */

type LocalGoogleOptions = { log: Log; listEmails: () => Promise<string[]> };

const MOUNT = '/local-google';
const CLIENT_ID = 'plinth-local';
const IDENTITY_ISSUER = 'local';
const CALLBACK_PATH = '/auth/google/callback';
const SESSION_COOKIE = 'local-google';
const CLOCK_TOLERANCE_SECONDS = 15;

/** True if the stand-in may run: only this machine can reach it, and no real provider is configured. */
export function isLocalGoogleAllowed(config: {
  isLoopback: boolean;
  OIDC_CLIENT_ID?: string | undefined;
  isProduction: boolean;
}): boolean {
  return config.isLoopback && config.OIDC_CLIENT_ID === undefined && !config.isProduction;
}

/** Addresses that signed in through the stand-in, newest first. */
export async function listLocalEmails(db: Db): Promise<string[]> {
  const found = await sql<Row<'users', 'email'>>`
    select u.email from identities i join users u on u.id = i.user_id
    where i.issuer = ${IDENTITY_ISSUER} and u.deleted_at is null order by i.created_at desc limit 8`.execute(db);
  return found.rows.map((row) => row.email);
}

/**
 * Mounts the provider below `/local-google`. Its keys, secret and state last as long as the process. Returns the
 * options for `addOidcRoutes`, which are known once the server listens.
 */
export function makeLocalGoogle(http: FastifyInstance, options: LocalGoogleOptions): () => OidcClient {
  const clientSecret = newToken();
  let stub: Promise<Stub> | undefined;
  const getStub = () => (stub ??= makeStub(issuerOf(http), clientSecret, options.log));
  void http.register(async (scope) => {
    scope.addHook('onRequest', async (request) => refuseProxied(request, options.log));
    await scope.register(async (pages) => addInteractionRoutes(pages, getStub, options));
    await scope.register(async (provider) => addProviderRoutes(provider, getStub));
  });
  return () => ({ issuer: issuerOf(http), clientId: CLIENT_ID, clientSecret, identityIssuer: IDENTITY_ISSUER });
}

/** The provider asks for no password, so it serves nobody whom a proxy lets in from elsewhere. @throws AppError */
function refuseProxied({ headers, id }: FastifyRequest, log: Log): void {
  const isProxied = Object.keys(headers).some((name) => /^(x-forwarded-.*|forwarded|via)$/.test(name));
  if (!isProxied) return;
  log.warn({ requestId: id }, 'refused a local sign-in that came through a proxy; set OIDC_CLIENT_ID for others');
  throw new AppError('malformed_request');
}

function issuerOf(http: FastifyInstance): string {
  const address = http.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port yet');
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}${MOUNT}`;
}

type Stub = { provider: Provider; emails: Map<string, string>; SessionNotFound: typeof errors.SessionNotFound };

async function makeStub(issuer: string, clientSecret: string, log: Log): Promise<Stub> {
  // A fifth of the loaded code, so it is imported at the first sign-in.
  const { Provider, errors } = await import('oidc-provider');
  const { createMemoryAdapter } = await import('oidc-provider/lib/adapters/memory_adapter.js');
  const emails = new Map<string, string>();
  const provider = new Provider(issuer, {
    // The library's default, named to prevent its warning; its thousand rows suffice for one machine.
    adapter: createMemoryAdapter(CLOCK_TOLERANCE_SECONDS),
    jwks: { keys: [await makeKey()] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        // Allows any port of the return address on loopback (RFC 8252, 7.3): the development server has another one.
        application_type: 'native',
        redirect_uris: ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}${CALLBACK_PATH}`),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: emails.get(sub), email_verified: true }),
    }),
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `${MOUNT}/interaction/${interaction.uid}` },
    cookies: {
      names: { session: SESSION_COOKIE, interaction: 'local-google-page', resume: 'local-google-resume' },
      long: { httpOnly: true, sameSite: 'lax', path: MOUNT },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    // The default of each of these writes to stdout.
    clientBasedCORS: () => false,
    ttl: { AccessToken: 60, IdToken: 300, Interaction: 600, Session: 600, Grant: 600 },
    renderError: (context) => {
      context.type = 'html';
      context.body = renderEndPage();
      context.set('Content-Security-Policy', writePolicy(renderEndPage()));
    },
  });
  provider.on('server_error', (_context, err) => log.error({ err }, 'local identity provider'));
  // Koa below the provider would otherwise write to the terminal.
  const koa: EventEmitter = provider;
  koa.on('error', (err: Error) => log.error({ err }, 'local identity provider'));
  return { provider, emails, SessionNotFound: errors.SessionNotFound };
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const { kty, n, e, d, p, q, dp, dq, qi } = privateKey.export({ format: 'jwk' });
  return { kty, n, e, d, p, q, dp, dq, qi, kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/** Passes everything else below the mount to the provider unchanged. */
async function addProviderRoutes(scope: FastifyInstance, getStub: () => Promise<Stub>): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.route({
    method: ['GET', 'POST'],
    url: `${MOUNT}/*`,
    handler: async (request, reply) => {
      const { provider } = await getStub();
      const incoming: IncomingMessage & { originalUrl?: string } = request.raw;
      incoming.originalUrl = request.url;
      incoming.url = request.url.slice(MOUNT.length);
      // Each sign-in starts without the previous session, so that another address can be chosen.
      if (/^\/auth(\?|$)/.test(incoming.url)) {
        delete incoming.headers.cookie;
        reply.raw.setHeader('Set-Cookie', [`${SESSION_COOKIE}=; Path=${MOUNT}; Max-Age=0`]);
      }
      for (const [name, value] of Object.entries(listHeaders(undefined))) reply.raw.setHeader(name, value);
      reply.raw.setHeader('X-Request-Id', request.id);
      reply.hijack();
      await provider.callback()(incoming, reply.raw);
    },
  });
}

const stepSchema = z.object({
  step: z.enum(['login', 'consent', 'cancel']),
  email: z.string().trim().max(254).optional(),
});

async function addInteractionRoutes(
  scope: FastifyInstance,
  getStub: () => Promise<Stub>,
  options: LocalGoogleOptions,
): Promise<void> {
  const url = `${MOUNT}/interaction/:uid`;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
  scope.get(url, async (request, reply) => {
    const stub = await getStub();
    const page = await findInteraction(request, reply, stub);
    return page === undefined ? sendEndPage(reply) : sendPage(reply, stub, options, page);
  });
  scope.post(url, async (request, reply) => {
    const stub = await getStub();
    const page = await findInteraction(request, reply, stub);
    const parsed = stepSchema.safeParse(request.body);
    if (page === undefined || !parsed.success) return sendEndPage(reply);
    const { step, email = '' } = parsed.data;
    if (step === 'cancel')
      return finishInteraction(request, reply, stub, { error: 'access_denied', error_description: 'cancelled' });
    if (step !== page.prompt.name) return sendPage(reply, stub, options, page);
    if (step === 'consent')
      return finishInteraction(request, reply, stub, { consent: { grantId: await grantScopes(stub, page) } });
    if (!z.email().safeParse(email).success) {
      return sendPage(reply.status(422), stub, options, page, email, 'Please enter a valid email address');
    }
    return finishInteraction(request, reply, stub, { login: { accountId: rememberEmail(stub, email) } });
  });
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The interaction of the browser's cookie; undefined if it was used or has expired. */
async function findInteraction(
  request: FastifyRequest,
  reply: FastifyReply,
  stub: Stub,
): Promise<Interaction | undefined> {
  try {
    return await stub.provider.interactionDetails(request.raw, reply.raw);
  } catch (error) {
    if (error instanceof stub.SessionNotFound) return undefined;
    throw error;
  }
}

/** The subject of an address, independent of its case. */
function rememberEmail(stub: Stub, email: string): string {
  const subject = hash('sha256', email.toLowerCase(), 'hex');
  stub.emails.set(subject, email);
  return subject;
}

async function grantScopes(stub: Stub, page: Interaction): Promise<string> {
  const accountId = page.session?.accountId;
  const grant = new stub.provider.Grant({ clientId: CLIENT_ID, ...(accountId !== undefined && { accountId }) });
  grant.addOIDCScope('openid email');
  return grant.save();
}

type Result = Parameters<Provider['interactionResult']>[2];

async function finishInteraction(
  request: FastifyRequest,
  reply: FastifyReply,
  stub: Stub,
  result: Result,
): Promise<FastifyReply> {
  return reply.redirect(await stub.provider.interactionResult(request.raw, reply.raw, result), 303);
}

async function sendPage(
  reply: FastifyReply,
  stub: Stub,
  options: LocalGoogleOptions,
  page: Interaction,
  typed = '',
  problem: string | null = null,
): Promise<FastifyReply> {
  const html =
    page.prompt.name === 'consent'
      ? renderConsentPage(stub.emails.get(page.session?.accountId ?? '') ?? '')
      : renderAccountPage({ emails: await options.listEmails(), typed, problem });
  return sendHtml(reply.header('Cache-Control', 'no-store'), html, {
    'form-action': `'self' ${findReturnSource(page)}`,
  });
}

// Chrome checks form-action for every redirect up to our callback, which may have another loopback name.
// CSP has no syntax for bracketed addresses, so the scheme is used instead.
function findReturnSource(page: Interaction): string {
  const { origin, hostname } = new URL(String(page.params.redirect_uri));
  return hostname.startsWith('[') ? 'http:' : origin;
}

function sendEndPage(reply: FastifyReply): FastifyReply {
  return sendHtml(reply.status(400).header('Cache-Control', 'no-store'), renderEndPage());
}
