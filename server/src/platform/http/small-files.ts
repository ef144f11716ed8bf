import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pack, sendPacked } from './packed.ts';

/** Scripts, styles, fonts and pictures of the build: small, many, and asked for by everybody. */
const TYPES: Record<string, string> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
};
const MOST_BYTES = 512 * 1024;

/**
 * Serves the small files below `folder` from memory, with what the build packed beside them. Returns the paths that are
 * served, below the folder and with slashes.
 */
export function addSmallFiles(
  http: FastifyInstance,
  folder: string,
  headersOf: (path: string) => Record<string, string>,
): string[] {
  const paths = listSmallFiles(folder);
  for (const path of paths) {
    const read = (ending: string) => {
      const file = join(folder, `${path}${ending}`);
      return existsSync(file) ? readFileSync(file) : undefined;
    };
    const packed = pack(
      { plain: readFileSync(join(folder, path)), gzip: read('.gz'), brotli: read('.br') },
      { ...headersOf(path), 'content-type': TYPES[extname(path)] ?? '', vary: 'accept-encoding' },
    );
    http.get(`/${path}`, (request, reply) => sendPacked(packed, request, reply));
  }
  return paths;
}

function listSmallFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size <= MOST_BYTES)
    .map((file) => file.slice(folder.length + 1).replaceAll('\\', '/'));
}
