// After both builds of Vite: writes every public page as HTML, and the list of addresses for the server.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = resolve(process.argv[2]);
const prerenderer = join(dist, 'prerenderer');
const { listAppPaths, writeCallbackShell, writePublicPages, writeUnfetched } = await import(
  pathToFileURL(join(prerenderer, 'prerender.js')).href
);
const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
/** The page's script asks for this file by the name noted on the page, so that it has no imports to wait for itself. */
const { file: hydration } = manifest['src/public/hydration.tsx'];
const publicShell = readFileSync(join(dist, 'public.html'), 'utf8');
const appShell = inlineIcon(readFileSync(join(dist, 'index.html'), 'utf8'));

/** English pages stand in the folder itself, those of other languages in one of their own. */
const [, language] = /<html lang="([\w-]+)"/.exec(appShell);
const folder = language === 'en' ? 'pages' : `pages/${language}`;

const unfetched = await writeUnfetched();

/** What the server answers: the file of every address, and of those it does not know. */
const addresses = { pages: {}, notFound: '' };
mkdirSync(join(dist, folder), { recursive: true });

for (const page of await writePublicPages()) {
  const file = `${folder}/${page.path === '/' ? 'start' : page.path.slice(1).replaceAll('/', '-')}.html`;
  const html = fillShell(publicShell, page);
  // The policy that the server sends with it allows whole style elements by their hashes, and no attributes.
  if (/<[^>]* style="/.test(html)) throw new Error(`${page.path} has a style="…", which no browser would follow`);
  writeFileSync(join(dist, file), html);
  if (page.path === '/404') addresses.notFound = file;
  else addresses.pages[page.path] = file;
}
writeFileSync(join(dist, `${folder}/app.html`), appShell);
for (const path of listAppPaths()) addresses.pages[path] = `${folder}/app.html`;
addresses.pages['/auth/callback'] = `${folder}/callback.html`;
writeFileSync(
  join(dist, `${folder}/callback.html`),
  putIntoRoot(addStyles(appShell, 'CallbackScreen'), await writeCallbackShell()),
);
writeFileSync(join(dist, `${folder}/addresses.json`), JSON.stringify(addresses, null, 2));

for (const name of ['index.html', 'public.html', 'manifest.json', 'prerenderer'])
  rmSync(join(dist, name), { recursive: true });

function fillShell(shell, page) {
  const withHead = replaceOnce(shell, '<title>Plinth</title>', `<title>${escape(page.title)}</title>`);
  const described = replaceOnce(withHead, '<!-- page -->', describe(page));
  const styled = inlineStyles(addStyles(inlineIcon(described), page.screen));
  if (!page.markup.includes(' data-island=')) return putIntoRoot(dropScript(styled), page.markup);
  return putIntoRoot(calmScript(styled), page.markup, ` data-page data-script="/${hydration}"`, unfetched);
}

/** The page is complete without its script, which therefore waits behind font and pictures. */
function calmScript(page) {
  return replaceOnce(page, '<script type="module"', '<script type="module" fetchpriority="low"');
}

function dropScript(page) {
  return page.replace(/<script type="module"[^>]*><\/script>\s*/, '');
}

/**
 * Puts the style sheets into the page: on a slow line its bytes take less time than one more answer. The disabled link
 * keeps Vite's loader from fetching a sheet once more with the chunk that it belongs to.
 */
function inlineStyles(page) {
  return page.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/g, (_link, file) => {
    const style = readFileSync(join(dist, file), 'utf8').trim();
    return `<style>${style}</style>\n    <link rel="stylesheet" href="/${file}" disabled />`;
  });
}

/**
 * The small icon goes into the page too: fetched, it would take its share of the line from the hero picture, and the
 * app would ask for it again on every screen.
 */
function inlineIcon(page) {
  const icon = readFileSync(join(dist, 'favicon.svg'), 'utf8').trim().replaceAll(/\s+/g, ' ').replaceAll('"', "'");
  const address = `data:image/svg+xml,${icon.replaceAll(/[%#<>]/g, encodeURIComponent)}`;
  return replaceOnce(page, '"/favicon.svg"', `"${address}"`);
}

/** One tag a line: the server leaves out the lines with the origin when it does not know its own. */
function describe({ path, title, description }) {
  if (description === undefined) return '<meta name="robots" content="noindex" />';
  const property = (name, content) => `<meta property="og:${name}" content="${escape(content)}" />`;
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

/** Links the style sheets that a screen's file brings beyond those of the shell. */
function addStyles(shell, screen) {
  const key = Object.keys(manifest).find((file) => file.endsWith(`/${screen}.tsx`));
  if (key === undefined) throw new Error(`${screen} is not in a file of its own name`);
  const links = [...listStyles(key)]
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`);
  return links.length === 0 ? shell : replaceOnce(shell, '</head>', `  ${links.join('\n    ')}\n  </head>`);
}

function listStyles(key, seen = new Set()) {
  if (seen.has(key)) return new Set();
  seen.add(key);
  const { css = [], imports = [] } = manifest[key];
  return new Set([...imports.flatMap((one) => [...listStyles(one, seen)]), ...css]);
}

function putIntoRoot(shell, markup, attributes = '', below = '') {
  return replaceOnce(shell, '<div id="root"></div>', `<div id="root"${attributes}>${markup}</div>${below}`);
}

function replaceOnce(text, part, replacement) {
  if (text.split(part).length !== 2) throw new Error(`"${part}" is not exactly once in the page`);
  return text.replace(part, () => replacement);
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
