import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import type { ByteRange } from '../platform/data/storage.ts';
import { matchesEtag } from '../platform/http/compressed.ts';

/** Sends users' files, whole or in part, never cached in between. */

/** Headers that prevent a user's file from running as a page; `http/headers.ts` keeps other sites from reading it. */
export const SAFE_HEADERS = { 'Content-Security-Policy': "sandbox; default-src 'none'" };

type SentFile = {
  contentType: string;
  bytes: number;
  /** A strong ETag, with its quotation marks. */
  etag: string;
  /** Opens the bytes or a range of them. */
  open: (range: ByteRange | null) => Promise<Readable>;
};

/** Sends the response as a download with this name, which may contain any characters (RFC 6266, RFC 5987). */
export function setDownloadName(reply: FastifyReply, name: string): void {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  // The four that a URI may hold and this value may not.
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  reply.header('Content-Disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
}

/** Sends a file. @throws AppError range_not_satisfiable, and errors of `open` */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile) {
  const { etag, bytes } = file;
  if (matchesEtag(request, etag)) {
    return reply
      .status(304)
      .headers({ ETag: etag, 'Cache-Control': 'private, no-store', ...SAFE_HEADERS })
      .send();
  }
  // Ranges only apply to GET (RFC 9110, 14.2).
  const isHead = request.method === 'HEAD';
  const range = isHead ? null : readRange(request, bytes, etag);
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${bytes}`);
    throw new AppError('range_not_satisfiable');
  }
  // Reading one byte proves that the file exists; Fastify discards it and keeps the length set below.
  const content = await file.open(isHead ? { start: 0, end: 0 } : range);
  reply.headers({
    'Content-Type': file.contentType,
    'Content-Length': range === null ? bytes : range.end - range.start + 1,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    ...SAFE_HEADERS,
    'Cache-Control': 'private, no-store',
  });
  if (range !== null) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
  return reply.send(content);
}

/** Streams an archive that is made on demand. HEAD makes none and gets no length. */
export function sendZip(request: FastifyRequest, reply: FastifyReply, make: () => Readable) {
  reply.header('Content-Type', 'application/zip');
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : make());
}

/** Sends a small WebP that a browser may cache for an hour; not made if the caller has it. */
export async function sendSmall(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  make: () => Promise<Buffer>,
) {
  const headers = { ETag: etag, 'Cache-Control': 'private, max-age=3600', ...SAFE_HEADERS };
  if (matchesEtag(request, etag)) return reply.headers(headers).status(304).send();
  const picture = await make();
  return reply.headers({ ...headers, 'Content-Type': 'image/webp' }).send(picture);
}

/** The single requested range; null for the whole file: no range, several, an unknown unit, or another version. */
function readRange(request: FastifyRequest, size: number, etag: string): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(request.headers.range ?? '');
  const ifRange = request.headers['if-range'];
  if (match === null || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size) return 'unsatisfiable';
  return end < start ? null : { start, end };
}
