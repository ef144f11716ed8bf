import type { FastifyInstance } from 'fastify';
import { originOf } from './http.ts';
import { escapeHtml } from './server-page.ts';

/** Pages for search engines, in order of importance. */
export const PUBLIC_PATHS = ['/', '/login', '/privacy', '/terms', '/developers', '/status', '/verify'];
/** Addresses that are useless without a session or a flow in progress. */
const DISALLOWED_PATHS = ['/api/', '/auth/', '/dashboard', '/local-google', '/sandbox/', '/success', '/webhooks/'];

/** Adds `/robots.txt` and `/sitemap.xml`, which need absolute addresses with the origin in use. */
export function addRobots(http: FastifyInstance, publicOrigin: string | undefined): void {
  const add = (path: string, type: string, write: (origin: string) => string) =>
    http.get(path, (request, reply) =>
      reply
        .headers({ 'Cache-Control': 'no-cache', 'Content-Type': `${type}; charset=utf-8` })
        .send(write(originOf(request, publicOrigin))),
    );
  add('/robots.txt', 'text/plain', writeRobots);
  add('/sitemap.xml', 'application/xml', writeSitemap);
}

function writeRobots(origin: string): string {
  const disallowed = DISALLOWED_PATHS.map((path) => `Disallow: ${path}`);
  return ['User-agent: *', 'Allow: /', ...disallowed, '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n');
}

// https://www.sitemaps.org/protocol.html, read 2026-11.
function writeSitemap(origin: string): string {
  // Without a public origin the host is taken from the Host header.
  const urls = PUBLIC_PATHS.map((path) => `  <url><loc>${escapeHtml(origin + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}
