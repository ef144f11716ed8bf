import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { QueryClient } from '@tanstack/react-query';
import { makeRouter } from '../app-router.tsx';
import { createApi } from '../platform/api.ts';
import { CallbackWaiting } from '../auth/CallbackWaiting.tsx';
import { publicRoutes } from '../routes.tsx';

// node prerender.js DIST, run after both Vite builds: writes every public page as HTML, and the list of addresses for
// the server.

const dist = resolve(process.argv[2] ?? '.');
const read = (file: string) => readFileSync(join(dist, file), 'utf8');
const manifest = JSON.parse(read('manifest.json')) as Record<
  string,
  { file: string; css?: string[]; imports?: string[] }
>;
const publicShell = read('public.html');
const appShell = inlineIcon(read('index.html'));

/** English pages are in the folder itself, other languages in a subfolder each. */
const [, language = 'en'] = /<html lang="([\w-]+)"/.exec(appShell) ?? [];
const folder = language === 'en' ? 'pages' : `pages/${language}`;

/** Shown below a page while its script could not be fetched. */
const unfetched = await toMarkup(
  <p className="error unfetched" role="alert">
    Part of this page could not be fetched. Check your connection and try again.
  </p>,
);

mkdirSync(join(dist, folder), { recursive: true });
const write = (name: string, text: string): string => {
  const file = `${folder}/${name}`;
  writeFileSync(join(dist, file), text);
  return file;
};

/** The server's routes: the file of every address, and of unknown ones. */
const pages: Record<string, string> = {};
for (const { path, load, ...words } of publicRoutes) {
  const Screen = await load();
  const markup = await toMarkup(<Screen />);
  const html = fillShell(publicShell, { path, ...words, markup, screen: Screen.name });
  // The policy that the server sends allows whole style elements by hash, and no style attributes.
  if (/<[^>]* style="/.test(html)) throw new Error(`${path} has a style="…", which no browser would follow`);
  pages[path] = write(`${path === '/' ? 'start' : path.slice(1).replaceAll('/', '-')}.html`, html);
}
const { '/404': notFound, ...known } = pages;
const app = write('app.html', appShell);
// Public addresses have their own pages.
for (const path of Object.keys(makeRouter(new QueryClient(), createApi()).routesByPath).flatMap(toServed))
  known[path] ??= app;
// The spinner is shown until the app renders.
known['/auth/callback'] = write('callback.html', putIntoRoot(appShell, await toMarkup(<CallbackWaiting />)));
write('addresses.json', JSON.stringify({ pages: known, notFound }, null, 2));

for (const name of ['index.html', 'public.html', 'manifest.json', 'prerenderer'])
  rmSync(join(dist, name), { recursive: true });

type Page = { path: string; title: string; description?: string; markup: string; screen: string };

function fillShell(shell: string, page: Page): string {
  const withHead = replaceOnce(shell, '<title>Plinth</title>', `<title>${escape(page.title)}</title>`);
  const described = replaceOnce(withHead, '<!-- page -->', describe(page));
  const styled = inlineStyles(addStyles(inlineIcon(described), page.screen));
  if (!page.markup.includes(' data-island='))
    return putIntoRoot(styled.replace(/<script type="module"[^>]*><\/script>\s*/, ''), page.markup);
  // The page is complete without its script, which therefore waits behind font and pictures.
  const calm = replaceOnce(styled, '<script type="module"', '<script type="module" fetchpriority="low"');
  // The script imports this file by name, so that it has no static imports to wait for.
  const hydration = manifest['src/public/hydration.tsx']?.file;
  if (hydration === undefined) throw new Error('hydration.tsx was not built');
  return putIntoRoot(calm, page.markup, ` data-page data-script="/${hydration}"`, unfetched);
}

/**
 * Inlines the style sheets: on a slow connection their bytes cost less than another round trip. The disabled link stops
 * Vite's loader from fetching a sheet again with its chunk.
 */
function inlineStyles(page: string): string {
  return page.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/g, (_link, file: string) => {
    return `<style>${read(file).trim()}</style>\n    <link rel="stylesheet" href="/${file}" disabled />`;
  });
}

/**
 * Inlines the small icon as well: as a request it would compete with the hero picture, and the app would request it
 * again on every screen.
 */
function inlineIcon(page: string): string {
  const icon = read('favicon.svg').trim().replaceAll(/\s+/g, ' ').replaceAll('"', "'");
  const address = `data:image/svg+xml,${icon.replaceAll(/[%#<>]/g, encodeURIComponent)}`;
  return replaceOnce(page, '"/favicon.svg"', `"${address}"`);
}

/** One tag per line: the server removes the lines with the origin if it does not know its own. */
function describe({ path, title, description }: Page): string {
  if (description === undefined) return '<meta name="robots" content="noindex" />';
  const property = (name: string, content: string) => `<meta property="og:${name}" content="${escape(content)}" />`;
  return [
    `<meta name="description" content="${escape(description)}" />`,
    `<link rel="canonical" href="{{origin}}${path}" />`,
    property('type', 'website'),
    property('site_name', 'Plinth'),
    property('title', title),
    property('description', description),
    property('url', `{{origin}}${path}`),
    property('image', '{{origin}}/social.png'),
    '<meta name="twitter:card" content="summary_large_image" />',
  ].join('\n    ');
}

/** Links the style sheets of a screen's chunk beyond those of the shell. */
function addStyles(shell: string, screen: string): string {
  const key = Object.keys(manifest).find((file) => file.endsWith(`/${screen}.tsx`));
  if (key === undefined) throw new Error(`${screen} is not in a file of its own name`);
  const links = [...listStyles(key)]
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`);
  return links.length === 0 ? shell : replaceOnce(shell, '</head>', `  ${links.join('\n    ')}\n  </head>`);
}

function listStyles(key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return new Set();
  seen.add(key);
  const { css = [], imports = [] } = manifest[key] ?? {};
  return new Set([...imports.flatMap((one) => [...listStyles(one, seen)]), ...css]);
}

function putIntoRoot(shell: string, markup: string, attributes = '', below = ''): string {
  return replaceOnce(shell, '<div id="root"></div>', `<div id="root"${attributes}>${markup}</div>${below}`);
}

function replaceOnce(text: string, part: string, replacement: string): string {
  if (text.split(part).length !== 2) throw new Error(`"${part}" is not exactly once in the page`);
  return text.replace(part, () => replacement);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Translates the router's `$name` and its optional last `{-$name}` to the server's syntax. */
function toServed(path: string): string[] {
  const [whole, before, name] = /^(.*)\/\{-\$(\w+)\}$/.exec(path) ?? [];
  // The catch-all route is served as not found.
  if (path.endsWith('/$')) return [];
  const paths = whole === undefined ? [path] : [before ?? '', `${before}/$${name}`];
  return paths.map((one) => one.replaceAll('/$', '/:'));
}

async function toMarkup(element: ReactNode): Promise<string> {
  const { prelude } = await prerender(element);
  return new Response(prelude).text();
}
