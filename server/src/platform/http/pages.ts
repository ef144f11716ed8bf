import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { isSiteWord, type Site } from '@plinth/contract/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writePolicy } from './headers.ts';
import { escapeHtml, FONT_PATH } from './server-page.ts';
import { compress, type Compressed, sendCompressed } from './compressed.ts';

/** The build's manifest: the file of every address, and that of unknown addresses. */
const addressesSchema = z.object({ pages: z.record(z.string(), z.string()), notFound: z.string() });

type Page = (request: FastifyRequest) => Compressed;
/** The choices of the account menu, kept in a cookie; without one the system's applies. */
const THEMES = ['light', 'dark'];

type Pages = { folder: string; byPath: Map<string, Page>; notFound: Page };

/**
 * Reads the built pages; undefined without a build. Fills in the operator's words and the public origin; without one,
 * removes lines that need it.
 */
export function readPages(folder: string, publicOrigin: string | undefined, site: Site): Pages | undefined {
  const list = join(folder, 'pages', 'addresses.json');
  if (!existsSync(list)) return undefined;
  const addresses = addressesSchema.parse(JSON.parse(readFileSync(list, 'utf8')));
  const files = new Map<string, Page>();
  const languages = listLanguages(folder);
  const fill = (file: string) => fillSite(fillOrigin(readFileSync(join(folder, file), 'utf8'), publicOrigin), site);
  const read = (file: string): Page => {
    const page =
      files.get(file) ?? compressByVisitor(languages.map((language) => [language, fill(nameIn(language, file))]));
    files.set(file, page);
    return page;
  };
  return {
    folder,
    byPath: new Map(Object.entries(addresses.pages).map(([path, file]) => [path, read(file)])),
    notFound: read(addresses.notFound),
  };
}

const ENGLISH = 'en';

/** English, and the languages that have a folder of pages. */
function listLanguages(folder: string): string[] {
  const entries = readdirSync(join(folder, 'pages'), { withFileTypes: true });
  return [ENGLISH, ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)];
}

const nameIn = (language: string, file: string): string =>
  language === ENGLISH ? file : file.replace('pages/', `pages/${language}/`);

const ORIGIN = '{{origin}}';

function fillOrigin(html: string, publicOrigin: string | undefined): string {
  if (publicOrigin !== undefined) return html.replaceAll(ORIGIN, publicOrigin);
  return html
    .split('\n')
    .filter((line) => !line.includes(ORIGIN))
    .join('\n');
}

const BLOCK = /\{\{(if|unless) (\w+)\}\}(.*?)\{\{end\}\}/gs;
const WORD = /\{\{(\w+)\}\}/g;

/** Replaces the build's placeholders (`web/src/ui/pages/site.tsx`) with the operator's words, escaped. */
export function fillSite(html: string, site: Site): string {
  return html
    .replace(BLOCK, (_block, kind: string, word: string, content: string) =>
      (findWord(site, word) !== null) === (kind === 'if') ? content : '',
    )
    .replace(WORD, (mark, word: string) => (isSiteWord(word) ? escapeHtml(site[word] ?? '') : mark));
}

function findWord(site: Site, word: string): string | null {
  if (!isSiteWord(word)) throw new Error(`The pages ask for ${word}, which nobody says. Build them again.`);
  return site[word];
}

const ROOT = /<html lang="[\w-]+"/;

/** A page per language. Contains theme and session, so that no script is needed before the first paint. */
function compressByVisitor(pages: readonly (readonly [language: string, html: string])[]): Page {
  const html = new Map(pages);
  const known = [...html.keys()];
  const compressed = new Map<string, Compressed>();
  return (request) => {
    const theme = THEMES.find((one) => one === request.cookies.theme);
    const isSignedIn = request.caller.kind === 'user';
    const attributes = `${theme === undefined ? '' : ` data-theme="${theme}"`}${isSignedIn ? ' data-signed-in' : ''}`;
    const language = request.language(known) || ENGLISH;
    const write = () => (html.get(language) ?? '').replace(ROOT, (root) => root + attributes);
    const page = compressed.get(language + attributes) ?? compressPage(write(), known.length > 1);
    compressed.set(language + attributes, page);
    return page;
  };
}

const compressPage = (html: string, hasLanguages: boolean): Compressed =>
  compress(html, {
    ...CHECKED_ANEW,
    vary: `Accept-Encoding, Cookie${hasLanguages ? ', Accept-Language' : ''}`,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': writePolicy(html),
  });

const CHECKED_ANEW = { 'cache-control': 'no-cache' };
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };
/** The workers that cut out photos and decode HEIC: their policy comes with their own responses. */
const USES_WASM = /^assets\/(cut-out|heic)-worker-[\w-]+\.js(\.br|\.gz)?$/;
const WITH_WASM = {
  ...FOR_EVER,
  'content-security-policy': writePolicy('', { 'script-src': "'self' 'wasm-unsafe-eval'" }),
};

function headersOf(path: string): Record<string, string> {
  if (USES_WASM.test(path)) return WITH_WASM;
  return path.startsWith('assets/') ? FOR_EVER : CHECKED_ANEW;
}

/** The built file of the product's font. */
const FONT = /^instrument-sans-subset-[\w-]+\.woff2$/;

/** Serves the built browser part: hashed files are cached for ever, everything else is revalidated. */
export async function addPages(http: FastifyInstance, pages: Pages): Promise<void> {
  const { folder, byPath } = pages;
  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['pages/**', '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.headers(headersOf(path.slice(folder.length + 1))),
  });
  const font = readdirSync(join(folder, 'assets')).find((name) => FONT.test(name));
  if (font !== undefined) http.get(FONT_PATH, (_request, reply) => reply.redirect(`/assets/${font}`));
  for (const [path, page] of byPath) {
    http.get(path, async (request, reply) => {
      const to = path === LOGIN && request.caller.kind === 'user' ? findWayIn(request) : undefined;
      if (to !== undefined) return reply.header('Cache-Control', 'no-cache').redirect(to);
      return sendCompressed(page(request), request, reply);
    });
  }
}

const LOGIN = '/login';
const START = '/dashboard';
const HERE = 'http://localhost';

/** Where a signed-in user is redirected from the login page: to the return path, if it is one of ours. */
function findWayIn(request: FastifyRequest): string | undefined {
  const { to, ended } = request.query as { to?: unknown; ended?: unknown };
  // The app comes with `ended` if it could not extend the session, and would be back at once.
  if (ended !== undefined) return undefined;
  // Parsed like a browser does, which resolves dots and treats backslashes as slashes.
  const address = typeof to === 'string' ? URL.parse(to, HERE) : null;
  if (address?.origin !== HERE || !/^\/(dashboard|success)(\/|$)/.test(address.pathname)) return START;
  return address.pathname + address.search + address.hash;
}

/** The page for unknown addresses: redirects a trailing slash, and sends the app to signed-in users. */
export function sendNotFound(pages: Pages, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = '', query] = request.url.split('?');
  const meant = path.replace(/\/$/, '');
  if (meant !== path && pages.byPath.has(meant)) {
    return reply.header('Cache-Control', 'no-cache').redirect(query === undefined ? meant : `${meant}?${query}`, 308);
  }
  // The app shows it itself, beside its sidebar.
  const inside = request.caller.kind === 'user' && path.startsWith(`${START}/`) ? pages.byPath.get(START) : undefined;
  if (inside !== undefined) return sendCompressed(inside(request), request, reply.status(404));
  return sendCompressed(pages.notFound(request), request, reply.status(404));
}
