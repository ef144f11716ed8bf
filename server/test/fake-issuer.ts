import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The client secret that our server has. */
export const CLIENT_SECRET = 'secret-of-the-client';

export type Claims = Record<string, unknown>;
export type Lies = {
  claims: Claims;
  /** Claims left out of the token. */
  without: string[];
  alg: 'RS256' | 'HS256' | 'none' | 'RS384';
  key: 'own' | 'foreign';
  noToken: boolean;
  down: boolean;
  /** Its discovery document is an HTML page, or names another issuer. */
  discovery: 'own' | 'page' | 'foreign';
  /** Name of a key that it does not publish. */
  kid: string | undefined;
  /** Its issuer name is longer than its address, as that of an issuer with several clients. */
  path: string;
};
export const HONEST: Lies = {
  claims: {},
  without: [],
  alg: 'RS256',
  key: 'own',
  noToken: false,
  down: false,
  discovery: 'own',
  kid: undefined,
  path: '',
};

/** An identity provider on node:http that signs by hand, so that it can lie. */
export class FakeIssuer {
  url = '';
  lies: Lies = HONEST;
  discoveries = 0;
  tokenRequests: URLSearchParams[] = [];
  person = { sub: 'sub-1', email: 'ann@example.com' };
  readonly #codes = new Map<string, URLSearchParams>();
  #own = makeKey('one');
  readonly #foreign = makeKey('one');
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const [status, answer] = this.#answer(request.url ?? '', new URLSearchParams(body));
      response.writeHead(status, { 'content-type': typeof answer === 'string' ? 'text/html' : 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Signs with another key from now on; the previous one is no longer published. */
  rotateKey(): void {
    this.#own = makeKey(`key-${randomBytes(4).toString('hex')}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The user consents: returns what the browser would bring back. */
  agree(authorization: URL): URL {
    const code = randomBytes(8).toString('hex');
    this.#codes.set(code, authorization.searchParams);
    const back = new URL(authorization.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', authorization.searchParams.get('state') ?? '');
    return back;
  }

  #answer(path: string, body: URLSearchParams): [number, unknown] {
    if (this.lies.down) return [503, {}];
    if (path === `${this.lies.path.replace(/\/$/, '')}/.well-known/openid-configuration`) {
      this.discoveries += 1;
      if (this.lies.discovery === 'page') return [200, '<html>Please pay for this network</html>'];
      if (this.lies.discovery === 'foreign') return [200, { ...this.#metadata(), issuer: 'https://evil.example' }];
      return [200, this.#metadata()];
    }
    if (path === '/keys') {
      const { publicKey, kid } = this.#own;
      return [200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }];
    }
    this.tokenRequests.push(body);
    const parameters = this.#codes.get(body.get('code') ?? '');
    if (parameters === undefined || body.get('client_secret') !== CLIENT_SECRET)
      return [400, { error: 'invalid_grant' }];
    this.#codes.delete(body.get('code') ?? '');
    const idToken = this.lies.noToken ? {} : { id_token: this.#sign(parameters) };
    return [
      200,
      { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 3600, ...idToken },
    ];
  }

  #metadata() {
    return {
      issuer: this.url + this.lies.path,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #sign(parameters: URLSearchParams): string {
    const { lies } = this;
    const now = Math.floor(Date.now() / 1000);
    const claims: Claims = {
      iss: this.url + lies.path,
      aud: 'client-1',
      ...this.person,
      email_verified: true,
      nonce: parameters.get('nonce'),
      iat: now,
      exp: now + 3600,
      ...lies.claims,
    };
    for (const name of lies.without) delete claims[name];
    const head = { alg: lies.alg, kid: lies.kid ?? this.#own.kid, typ: 'JWT' };
    const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const key = lies.key === 'own' ? this.#own.privateKey : this.#foreign.privateKey;
    return `${text}.${signature(text, lies.alg, key)}`;
  }
}

const makeKey = (kid: string) => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

function signature(text: string, alg: Lies['alg'], key: KeyObject): string {
  if (alg === 'none') return '';
  if (alg === 'HS256') return createHmac('sha256', CLIENT_SECRET).update(text).digest('base64url');
  return createSign(alg === 'RS256' ? 'RSA-SHA256' : 'RSA-SHA384')
    .update(text)
    .sign(key, 'base64url');
}

/** A browser that keeps cookies and does not follow redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async go(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
