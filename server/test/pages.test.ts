import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Site, siteDefaults } from '@plinth/contract/site';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../src/platform/http/caller.ts';
import { makeHttp } from '../src/platform/http/http.ts';
import { createLog } from '../src/platform/log.ts';
import { addPages, fillSite, readPages, sendNotFound } from '../src/platform/http/pages.ts';

const site: Site = { ...siteDefaults };
const user: Caller = { kind: 'user', userId: 'usr_1', sessionId: 'ses_1' };
const visitor: Caller = { kind: 'visitor' };

let folder: string;
let running: FastifyInstance | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-pages-'));
  mkdirSync(join(folder, 'pages'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['start', 'login', 'app', '404'])
    write(
      `pages/${name}.html`,
      `<html lang="en"><title>${name}</title>\n<link href="{{origin}}/${name}" />\n${'long '.repeat(400)}`,
    );
  write('assets/public-abc.js', 'start()');
  write('assets/public-abc.js.br', 'compressed');
  write('favicon.svg', '<svg/>');
  write(
    'pages/addresses.json',
    JSON.stringify({
      pages: {
        '/': 'pages/start.html',
        '/login': 'pages/login.html',
        '/dashboard': 'pages/app.html',
        '/dashboard/history': 'pages/app.html',
        '/dashboard/history/:mediaId': 'pages/app.html',
      },
      notFound: 'pages/404.html',
    }),
  );
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  rmSync(folder, { recursive: true });
});

const write = (path: string, content: string) => writeFileSync(join(folder, path), content);

async function serve(caller: Caller = visitor, publicOrigin?: string): Promise<string> {
  const pages = readPages(folder, publicOrigin, site);
  if (pages === undefined) throw new Error('the pages of the test were not found');
  running = await makeHttp({
    log: createLog('silent'),
    trustProxyHops: 0,
    publicOrigin,
    sendNotFound: (request, reply) => sendNotFound(pages, request, reply),
  });
  running.addHook('onRequest', async (request) => {
    request.caller = caller;
  });
  await addPages(running, pages);
  return running.listen({ host: '127.0.0.1', port: 0 });
}

/** Requests a page like a browser; fetch would decompress the answer and follow redirects. */
function get(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((found, failed) => {
    requestHttp(url, { headers: { accept: 'text/html', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        found({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', failed)
      .end();
  });
}

it('shows pages that load what is named, from here, and nothing else', async () => {
  const policy = String((await get(`${await serve()}/`)).headers['content-security-policy']).split(';');
  expect(policy).toContain("default-src 'none'");
  for (const kind of ['script', 'connect', 'font']) expect(policy).toContain(`${kind}-src 'self'`);
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
});

it('allows the styles that stand in a page by their hashes, each page its own', async () => {
  write('pages/start.html', '<html lang="en"><style>a{color:red}</style><p></p><style>\nb { color: blue }\n</style>');
  write('pages/login.html', '<html lang="en"><style>i{color:green}</style>');
  const url = await serve();
  const readStyles = async (path: string, headers?: Record<string, string>) =>
    String((await get(url + path, headers)).headers['content-security-policy'])
      .split(';')
      .find((one) => one.startsWith('style-src '));
  const hash = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const start = `style-src 'self' ${hash('a{color:red}')} ${hash('\nb { color: blue }\n')}`;
  expect(await readStyles('/')).toBe(start);
  expect(await readStyles('/', { cookie: 'theme=dark', 'accept-encoding': 'br' })).toBe(start);
  expect(await readStyles('/login')).toBe(`style-src 'self' ${hash('i{color:green}')}`);
  expect(await readStyles('/unknown')).toBe("style-src 'self'");
  expect(await readStyles('/api/v1/nothing')).toBe("style-src 'self'");
});

it('shows pages that may use no camera, no microphone and no place', async () => {
  const url = await serve();
  for (const path of ['/', '/dashboard', '/unknown']) {
    const policy = String((await get(url + path)).headers['permissions-policy']);
    for (const shut of ['camera=()', 'microphone=()', 'geolocation=()', 'payment=()']) expect(policy).toContain(shut);
    for (const own of ['clipboard-write=(self)', 'autoplay=(self)']) expect(policy).toContain(own);
  }
});

it('notes on the page that its reader has a session, beside the theme, however it is packed', async () => {
  const url = await serve(user);
  for (const [path, notes] of [
    ['/', ' data-signed-in'],
    ['/unknown', ' data-signed-in'],
  ] as const)
    expect(String((await get(url + path)).body), path).toContain(`<html lang="en"${notes}>`);
  const packed = await get(`${url}/`, { cookie: 'theme=dark', 'accept-encoding': 'br' });
  expect(String(brotliDecompressSync(packed.body))).toContain('<html lang="en" data-theme="dark" data-signed-in>');
  await running?.close();
  expect(String((await get(`${await serve()}/`)).body)).toContain('<html lang="en">');
});

it('shows each browser the pages of its language, of those that were built', async () => {
  mkdirSync(join(folder, 'pages', 'pt-BR'));
  for (const name of ['start', 'login', 'app', '404'])
    write(`pages/pt-BR/${name}.html`, `<html lang="pt-BR"><title>${name}</title>`);
  const url = await serve(user);
  const start = await get(`${url}/`, { 'accept-language': 'de, pt;q=0.9, en;q=0.8', cookie: 'theme=dark' });
  expect(String(start.body)).toContain('<html lang="pt-BR" data-theme="dark" data-signed-in>');
  expect(start.headers.vary).toBe('Accept-Encoding, Cookie, Accept-Language');
  for (const languages of ['en-GB, pt;q=0.9', 'de', 'pt-BR;q=0', 'pt;q=0.1, en', '*'])
    expect(String((await get(`${url}/`, { 'accept-language': languages })).body), languages).toContain('lang="en"');
  expect(String((await get(`${url}/nowhere`, { 'accept-language': 'pt-br' })).body)).toContain('lang="pt-BR"');
});

it('serves every page at its own address, to be checked anew each time', async () => {
  const url = await serve();
  for (const [path, name] of [
    ['/', 'start'],
    ['/login?to=%2Fdashboard', 'login'],
    ['/dashboard', 'app'],
    ['/dashboard/history', 'app'],
  ]) {
    const answer = await get(`${url}${path}`);
    expect(answer.status, path).toBe(200);
    expect(answer.headers, path).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept-Encoding, Cookie',
    });
    expect(answer.body.toString(), path).toContain(`<title>${name}</title>`);
  }
});

it('packs a page as the browser can read it, and as it is for one that refuses', async () => {
  const url = await serve();
  const packed = await get(url, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(packed.body).toString()).toContain('<title>start</title>');
  const zipped = await get(url, { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.body).toString()).toContain('<title>start</title>');
  for (const accepted of ['', 'identity', 'br;q=0.000, gzip;q=0']) {
    const plain = await get(url, { 'accept-encoding': accepted });
    expect(plain.headers['content-encoding'], accepted).toBeUndefined();
    expect(plain.body.toString(), accepted).toContain('<title>start</title>');
  }
});

it('writes the chosen theme into the page, and leaves it to the system where nothing was chosen', async () => {
  const url = await serve();
  const themeOf = async (cookie: string, headers: Record<string, string> = {}) => {
    const { body } = await get(url, { cookie, ...headers });
    const text = headers['accept-encoding'] === 'br' ? brotliDecompressSync(body) : body;
    return /<html lang="en"(?: data-theme="(\w+)")?>/.exec(text.toString())?.[1];
  };
  expect(await themeOf('theme=dark')).toBe('dark');
  expect(await themeOf('session=x; theme=light; other=1')).toBe('light');
  expect(await themeOf('theme=dark', { 'accept-encoding': 'br' })).toBe('dark');
  for (const cookie of ['', 'theme=system', 'theme=dark"><script>', 'mytheme=dark'])
    expect(await themeOf(cookie), cookie).toBeUndefined();
});

it('writes the public origin into the tags that name it, and leaves them out where there is none', async () => {
  const named = await get(await serve(visitor, 'https://plinth.example'));
  expect(named.body.toString()).toContain('<link href="https://plinth.example/start" />');
  await running?.close();
  const nameless = await get(await serve());
  expect(nameless.body.toString()).not.toContain('<link');
});

it('answers 404 with a page that leads out, for somebody with a session to the tools', async () => {
  const unknown = [
    '/no-such-page',
    '/dashboard/no-such-tool',
    '/index.html',
    '/pages/app.html',
    '/pages/addresses.json',
  ];
  const url = await serve();
  for (const path of unknown) {
    const answer = await get(`${url}${path}`);
    expect(answer.status, path).toBe(404);
    expect(answer.body.toString(), path).toContain('<title>404</title>');
    expect(answer.headers['cache-control'], path).toBe('no-cache');
  }
  await running?.close();
  const inside = await serve(user);
  const answer = await get(`${inside}/no-such-page`);
  expect(answer.status).toBe(404);
  expect(answer.body.toString()).toMatch(/<html[^>]* data-signed-in>[^]*<title>404<\/title>/);
  // The app shows its sidebar beside the message.
  const tool = await get(`${inside}/dashboard/no-such-tool`);
  expect([tool.status, tool.body.toString().includes('<title>app</title>')]).toEqual([404, true]);
});

it('forgives one slash at the end of an address', async () => {
  const url = await serve();
  const answer = await get(`${url}/dashboard/?from=mail`);
  expect(answer.status).toBe(308);
  expect(answer.headers.location).toBe('/dashboard?from=mail');
  expect((await get(`${url}//evil.example/`)).status).toBe(404);
});

it('answers a program that asks for an unknown page with a problem document', async () => {
  const answer = await get(`${await serve()}/no-such-page`, { accept: '*/*' });
  expect(answer.status).toBe(404);
  expect(answer.headers['content-type']).toContain('application/problem+json');
});

it('keeps hashed files for ever and packed, other files only until the next question', async () => {
  const url = await serve();
  const script = await get(`${url}/assets/public-abc.js`, { 'accept-encoding': 'br' });
  expect(script.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
  });
  expect((await get(`${url}/favicon.svg`)).headers['cache-control']).toBe('no-cache');
  expect((await get(`${url}/assets/public-abc.js.br`)).status).toBe(404);
});

it('allows WebAssembly in the answers that bring the workers for photos, packed or not, and in no other', async () => {
  const names = ['cut-out-worker-a_B-1.js', 'heic-worker-a_B-1.js'];
  for (const file of [...names, ...names.map((name) => `${name}.br`), 'my-cut-out-worker-1.json'])
    write(`assets/${file}`, 'work()');
  const url = await serve();
  const policyOf = async (path: string, coding = 'identity') =>
    (await get(`${url}${path}`, { 'accept-encoding': coding })).headers['content-security-policy'];
  for (const name of names)
    for (const coding of ['identity', 'br'])
      expect(await policyOf(`/assets/${name}`, coding)).toContain("script-src 'self' 'wasm-unsafe-eval';");
  for (const path of ['/', '/assets/public-abc.js', '/assets/my-cut-out-worker-1.json', '/favicon.svg'])
    expect(await policyOf(path), path).not.toContain('wasm');
});

it.each([
  ['/login', '/dashboard'],
  ['/login?to=%2Fdashboard%2Fhistory%3Fpage%3D2', '/dashboard/history?page=2'],
  ['/login?to=%2Fdashboard%2Fhistory%2Fmed_1', '/dashboard/history/med_1'],
  ['/login?to=%2Fdashboard%3Fx%3D%E2%82%AC', '/dashboard?x=%E2%82%AC'],
  ['/login?to=%2Flogin', '/dashboard'],
  ['/login?to=%2F%2Fevil.example', '/dashboard'],
  ['/login?to=%2F%5Cevil.example%2Fdashboard', '/dashboard'],
  ['/login?to=%2Fdashboard%2F..%2F%2Fevil.example', '/dashboard'],
  ['/login?to=http%3A%2F%2F', '/dashboard'],
  ['/login?to=%2Fprivacy', '/dashboard'],
  ['/login?to=%2Fdashboards', '/dashboard'],
  ['/login?to=https%3A%2F%2Fevil.example%2Fdashboard', '/dashboard'],
  ['/login?to=%2Fdashboard&to=%2Fdashboard', '/dashboard'],
])('sends somebody with a session from %s to %s', async (path, to) => {
  const answer = await get(`${await serve(user)}${path}`);
  expect(answer.status).toBe(302);
  expect(answer.headers).toMatchObject({ location: to, 'cache-control': 'no-cache' });
});

it('shows the login page to an app that could not extend its session, instead of sending it back', async () => {
  const answer = await get(`${await serve(user)}/login?to=%2Fdashboard&ended=`);
  expect(answer.status).toBe(200);
});

it('is not there where the browser part was not built', () => {
  expect(readPages(join(folder, 'elsewhere'), undefined, site)).toBeUndefined();
});

it("says the operator's words as text, and leaves out what was not said", async () => {
  const page = [
    '<a href="mailto:{{contactEmail}}">{{contactEmail}}</a>',
    '{{if testimonialUrl}}<a href="{{testimonialUrl}}">{{testimonialBy}}</a>{{end}}',
    '{{unless testimonialUrl}}<i>{{testimonialBy}}</i>{{end}}',
    '{{if sellerName}}<b>{{sellerName}}</b>{{end}}',
    '<address>{{sellerAddress}}</address>',
  ].join('');
  expect(fillSite(page, site)).toBe(
    '<a href="mailto:support@plinth.example">support@plinth.example</a><i>From the people who make Plinth</i><address></address>',
  );
  const words: Site = {
    ...site,
    contactEmail: "o'hara@shop.example",
    testimonialUrl: 'https://ann.example/?a=1&b="2"',
    testimonialBy: '<script>alert(1)</script> {{sellerName}} $&',
    sellerName: 'Ann & Sons',
    sellerAddress: '1 High Street\nExampletown',
  };
  expect(fillSite(page, words)).toBe(
    '<a href="mailto:o&#39;hara@shop.example">o&#39;hara@shop.example</a>' +
      '<a href="https://ann.example/?a=1&amp;b=&quot;2&quot;">&lt;script&gt;alert(1)&lt;/script&gt; {{sellerName}} $&amp;</a>' +
      '<b>Ann &amp; Sons</b><address>1 High Street\nExampletown</address>',
  );
  write('pages/start.html', page);
  const answer = await get(await serve());
  expect(answer.body.toString()).toContain('mailto:support@plinth.example');
  expect(() => fillSite('{{if somethingElse}}{{end}}', site)).toThrow('Build them again');
});

it('answers a browser that has the same already without the bytes, in each coding and theme its own', async () => {
  const url = await serve();
  const tags = new Set<unknown>();
  for (const path of ['/', '/assets/public-abc.js', '/favicon.svg'])
    for (const headers of [{ 'accept-encoding': 'br' }, { 'accept-encoding': '' }, { cookie: 'theme=dark' }]) {
      const first = await get(url + path, headers);
      const tag = String(first.headers['etag']);
      tags.add(tag);
      const again = await get(url + path, { ...headers, 'if-none-match': `"other", ${tag.replace(/^(W\/)?/, 'W/')}` });
      expect([again.status, again.body.byteLength], path).toEqual([304, 0]);
      expect(again.headers['cache-control'], path).toBe(first.headers['cache-control']);
      const changed = await get(url + path, { ...headers, 'if-none-match': '"other"' });
      expect([changed.status, changed.body], path).toEqual([200, first.body]);
    }
  expect(tags.size).toBe(6);
  const missing = await get(`${url}/nothing`, { 'if-none-match': '*' });
  expect(missing.status).toBe(404);
});
