import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { changeInBatches, ONE_BATCH } from '../platform/data/batches.ts';
import type { Db } from '../platform/data/db.ts';
import { originOf } from '../platform/http/http.ts';
import { networkOf, type RequestLimits } from '../platform/http/limits.ts';
import type { Log } from '../platform/log.ts';
import { isLoopbackName } from '../platform/loopback.ts';
import { setSecurityEvent } from '../platform/http/request-log.ts';
import type { Row } from '../platform/data/rows.ts';
import { findOrMakeVerifiedAccount, type VerifiedIdentity } from './accounts.ts';
import { beginSession, type SessionSettings } from './sessions.ts';

/** Sign-in with an OpenID Connect provider: Google, or its local stand-in. */

export type OidcClient = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The issuer's name in our table of identities; independent of the local provider's port. */
  identityIssuer: string;
};

type OidcOptions = {
  db: Db;
  clock: Clock;
  limits: RequestLimits;
  log: Log;
  sessions: SessionSettings;
  welcomeCredits: number;
  publicOrigin: string | undefined;
  /** Called at each sign-in: the local provider's address is only known after listening. */
  client: () => OidcClient | Promise<OidcClient>;
};

const CALLBACK_PATH = '/auth/google/callback';
const DONE_PATH = '/auth/callback';
const FAILED_PATH = '/auth/callback?error=login_failed';
const STATE_TTL_SECONDS = 600;
/** Concurrent sign-ins per browser; the oldest are dropped. */
const MAX_STATES = 8;
const STATE_RETENTION_SECONDS = 3600;
const ISSUER_TIMEOUT_SECONDS = 10;
// Tokens are fresh and live for minutes: one that has expired by our clock is rejected.
const CLOCK_TOLERANCE_SECONDS = 300;
const EXPIRY_TOLERANCE_SECONDS = 5;

/** Adds `GET /auth/google/start` and `GET /auth/google/callback`; discovery happens at the first visit. */
export function addOidcRoutes(http: FastifyInstance, options: OidcOptions): void {
  const openIssuer = makeIssuerOpener(options.client);

  http.get('/auth/google/start', async (request, reply) => {
    await options.limits.count('googleStart', networkOf(request));
    reply.header('Cache-Control', 'no-store');
    try {
      return reply.redirect(await startSignIn(request, reply, options, await openIssuer()));
    } catch (error) {
      return refuse(request, reply, options.log, error);
    }
  });

  http.get(CALLBACK_PATH, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    try {
      const identity = await receiveIdentity(request, reply, options, openIssuer);
      const userId = await findOrMakeVerifiedAccount(options.db, options.clock, identity, options.welcomeCredits);
      if (userId === undefined) throw new SignInRefusedError('the address is that of another person of this issuer');
      await beginSession(request, reply, options.db, options.sessions, { userId });
      setSecurityEvent(request, 'signed_in', userId);
      return reply.redirect(DONE_PATH);
    } catch (error) {
      return refuse(request, reply, options.log, error);
    }
  });
}

/** A rejected sign-in. Its message contains no token, code or address. */
class SignInRefusedError extends Error {
  /** The user declined at the issuer, which need not be logged. */
  readonly isDecline: boolean;

  constructor(reason: string, isDecline = false) {
    super(reason);
    this.isDecline = isDecline;
  }
}

// A person waits for this answer, so it is always one of our pages.
function refuse(request: FastifyRequest, reply: FastifyReply, log: Log, error: unknown): FastifyReply {
  const requestId = request.id;
  if (error instanceof SignInRefusedError && !error.isDecline) setSecurityEvent(request, 'sign_in_failed');
  if (!(error instanceof SignInRefusedError)) log.error({ requestId, err: error }, 'sign-in with Google failed');
  else log[error.isDecline ? 'info' : 'warn']({ requestId, reason: error.message }, 'sign-in with Google refused');
  return reply.redirect(FAILED_PATH);
}

type Issuer = { client: OidcClient; configuration: oidc.Configuration };

/** Discovers the issuer's endpoints once; a failure is not cached, so the next visit retries. */
function makeIssuerOpener(getClient: OidcOptions['client']): () => Promise<Issuer> {
  let discovered: Promise<oidc.ServerMetadata> | undefined;
  return async () => {
    const client = await getClient();
    discovered ??= discoverIssuer(client).catch((error: unknown) => {
      discovered = undefined;
      throw new SignInRefusedError(`the issuer ${client.issuer} cannot be used: ${describe(error)}`);
    });
    return { client, configuration: configure(client, await discovered) };
  };
}

/** The issuer with and without a trailing slash, which operators omit or add. */
async function discoverIssuer(client: OidcClient): Promise<oidc.ServerMetadata> {
  const name = client.issuer.replace(/\/+$/, '');
  return discover(client, name).catch((error: unknown) =>
    discover(client, `${name}/`).catch(() => {
      throw error;
    }),
  );
}

async function discover({ clientId }: OidcClient, name: string): Promise<oidc.ServerMetadata> {
  const issuer = new URL(name);
  const found = await oidc.discovery(issuer, clientId, undefined, undefined, {
    timeout: ISSUER_TIMEOUT_SECONDS,
    ...(isPlainLoopback(issuer) && { execute: [oidc.allowInsecureRequests] }),
  });
  return found.serverMetadata();
}

// Created per sign-in, so that the library's key cache never holds one that the issuer revoked.
function configure(client: OidcClient, metadata: oidc.ServerMetadata): oidc.Configuration {
  const methods = metadata.token_endpoint_auth_methods_supported;
  const onlyBasic = methods?.includes('client_secret_basic') === true && !methods.includes('client_secret_post');
  const configuration = new oidc.Configuration(
    metadata,
    client.clientId,
    { id_token_signed_response_alg: 'RS256', [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    onlyBasic ? oidc.ClientSecretBasic(client.clientSecret) : oidc.ClientSecretPost(client.clientSecret),
  );
  configuration.timeout = ISSUER_TIMEOUT_SECONDS;
  // In the code flow the library trusts the TLS connection to the token endpoint and would skip the signature.
  oidc.enableNonRepudiationChecks(configuration);
  if (isPlainLoopback(new URL(client.issuer))) oidc.allowInsecureRequests(configuration);
  return configuration;
}

function isPlainLoopback(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackName(url.hostname);
}

async function startSignIn(request: FastifyRequest, reply: FastifyReply, options: OidcOptions, issuer: Issuer) {
  const redirectUri = redirectUriOf(request, options.publicOrigin);
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const verifier = oidc.randomPKCECodeVerifier();
  await sql`
    insert into sign_in_states (state_hash, nonce, code_verifier, redirect_uri, created_at)
    values (${hashState(state)}, ${nonce}, ${verifier}, ${redirectUri}, ${options.clock.now()})`.execute(options.db);
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(stateCookie(options.sessions, '')));
  for (const old of others.slice(0, 1 - MAX_STATES)) setStateCookie(reply, options.sessions, old, 0);
  setStateCookie(reply, options.sessions, stateCookie(options.sessions, state), STATE_TTL_SECONDS);
  return oidc.buildAuthorizationUrl(issuer.configuration, {
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: redirectUri,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'consent',
  }).href;
}

// Without a configured origin the Host header decides the callback; it may only be a loopback name.
function redirectUriOf(request: FastifyRequest, publicOrigin: string | undefined): string {
  const uri = URL.parse(`${originOf(request, publicOrigin)}${CALLBACK_PATH}`);
  if (uri === null) throw new SignInRefusedError('the origin is not an address');
  if (publicOrigin === undefined && !isPlainLoopback(uri))
    throw new SignInRefusedError('the origin is not on this machine');
  return uri.href;
}

const hashState = (state: string) => hash('sha256', state, 'buffer');

/** One cookie per started sign-in, so that two tabs may start at once. */
const stateCookie = (sessions: SessionSettings, state: string) =>
  `${sessions.isSecure ? '__Host-sign-in' : 'sign-in'}-${state}`;

function setStateCookie(reply: FastifyReply, sessions: SessionSettings, name: string, maxAge: number): void {
  reply.setCookie(name, 'begun', {
    path: sessions.isSecure ? '/' : '/auth/google',
    maxAge,
    httpOnly: true,
    sameSite: 'lax',
    secure: sessions.isSecure,
  });
}

/** Verifies the callback and returns the identity. @throws SignInRefusedError */
async function receiveIdentity(
  request: FastifyRequest,
  reply: FastifyReply,
  options: OidcOptions,
  openIssuer: () => Promise<Issuer>,
): Promise<VerifiedIdentity> {
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  const state = new URLSearchParams(query).get('state') ?? '';
  if (state === '') throw new SignInRefusedError('no state');
  const cookie = stateCookie(options.sessions, state);
  if (request.cookies[cookie] === undefined) throw new SignInRefusedError('the state is of another browser');
  setStateCookie(reply, options.sessions, cookie, 0);
  const started = await consumeState(options, state);
  const { client, configuration } = await openIssuer();
  const url = new URL(`${started.redirectUri}${query}`);
  const checks = {
    expectedState: state,
    expectedNonce: started.nonce,
    pkceCodeVerifier: started.codeVerifier,
    idTokenExpected: true,
  };
  // The cause is dropped on purpose, because it contains the tokens. Access and refresh tokens are discarded, too.
  const tokens = await oidc.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
    const isDecline = error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied';
    throw new SignInRefusedError(describe(error), isDecline);
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new SignInRefusedError('no ID token');
  const { azp, email, exp, iat } = claims;
  const nowSeconds = options.clock.now().getTime() / 1000;
  if (exp <= nowSeconds - EXPIRY_TOLERANCE_SECONDS) throw new SignInRefusedError('the token has expired');
  if (iat > nowSeconds + CLOCK_TOLERANCE_SECONDS) throw new SignInRefusedError('the token was issued later than now');
  if (azp !== undefined && azp !== client.clientId)
    throw new SignInRefusedError('the token was made for another client');
  if (claims.email_verified !== true) throw new SignInRefusedError('the issuer does not vouch for the address');
  if (typeof email !== 'string' || !email.includes('@')) throw new SignInRefusedError('no e-mail address');
  return { issuer: client.identityIssuer, subject: claims.sub, email };
}

type StartedSignIn = Row<'signInStates', 'nonce' | 'codeVerifier' | 'redirectUri' | 'createdAt'>;

/** Removes the sign-in from the table: a state can be used once. */
async function consumeState(options: OidcOptions, state: string): Promise<StartedSignIn> {
  const consumed = await sql<StartedSignIn>`
    delete from sign_in_states where state_hash = ${hashState(state)}
    returning nonce, code_verifier as "codeVerifier", redirect_uri as "redirectUri", created_at as "createdAt"
  `.execute(options.db);
  const started = consumed.rows[0];
  if (started === undefined) throw new SignInRefusedError('the state is unknown or was used');
  if (started.createdAt <= secondsAfter(options.clock.now(), -STATE_TTL_SECONDS))
    throw new SignInRefusedError('the state is too old');
  return started;
}

/** Deletes sign-ins that were not completed. */
export async function deleteOldSignIns(db: Db, now: Date): Promise<void> {
  const before = secondsAfter(now, -STATE_RETENTION_SECONDS);
  await changeInBatches(
    db,
    sql`
      delete from sign_in_states
      where ctid = any(array(select ctid from sign_in_states where created_at < ${before} ${ONE_BATCH}))`,
  );
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'error' in error && typeof error.error === 'string' ? ` (${error.error})` : '';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${code}${cause}`;
}
