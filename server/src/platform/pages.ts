import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Addresses that the browser part shows itself; everything else is a page that does not exist. */
const PAGES = ['/', '/login', '/auth/callback', '/success', '/dashboard', '/dashboard/*'];

/** Serves the built browser part: hashed files for ever, everything else checked anew each time. */
export async function addPages(http: FastifyInstance, folder: string): Promise<void> {
  const page = readPage(folder);
  if (page === undefined) return;
  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes(`${folder}/assets/`);
      reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  for (const path of PAGES) {
    http.get(path, async (_request, reply) =>
      reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(page),
    );
  }
}

/** The page of the browser part, which also says that a page does not exist; undefined when it was not built. */
export function readPage(folder: string): string | undefined {
  const path = join(folder, 'index.html');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
