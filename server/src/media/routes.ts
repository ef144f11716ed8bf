import type { Readable } from 'node:stream';
import { PREVIEW_WIDTHS } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../platform/errors.ts';
import { onlySignedIn, requireUser } from '../platform/http.ts';
import { readPage } from '../platform/paging.ts';
import type { ByteRange } from '../platform/storage.ts';
import { listArchived, makeArchive, readArchived } from './archive.ts';
import { deleteMedia, getMedia, type Library, listMedia, type MediaRow, toMedia } from './library.ts';
import { makeBefore, makePreview } from './previews.ts';

type WithId = { Params: { id: string } };

export function addMediaRoutes(http: FastifyInstance, library: Library): void {
  const guard = { onRequest: onlySignedIn };
  const download = { ...guard, config: { counts: 'download' } } as const;
  http.get('/api/v1/media', guard, async (request) =>
    listMedia(library, requireUser(request).userId, readPage(request.query)),
  );
  http.get('/api/v1/media/archive', download, async (request, reply) => sendArchive(request, reply, library));
  http.get<WithId>('/api/v1/media/:id', guard, async (request) =>
    toMedia(library, await getMedia(library, requireUser(request).userId, request.params.id)),
  );
  http.get<WithId>('/api/v1/media/:id/preview', guard, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    return sendPreview(request, reply, media.sha256, (widthPx) => makePreview(library, media, widthPx));
  });
  http.get<WithId>('/api/v1/media/:id/before', guard, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    // An upload never changes: one result has one.
    return sendPreview(request, reply, `before-${media.sha256}`, (widthPx) => makeBefore(library, media, widthPx));
  });
  http.get<WithId>('/api/v1/media/:id/content', download, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    return sendMedia(request, reply, library, media);
  });
  http.get<WithId>('/api/v1/media/:id/download', download, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    const name = media.originalFilename;
    const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
    reply.header(
      'Content-Disposition',
      `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    );
    return sendMedia(request, reply, library, media);
  });
  http.delete<WithId>('/api/v1/media/:id', guard, async (request, reply) => {
    await deleteMedia(library, requireUser(request).userId, request.params.id);
    return reply.status(204).send();
  });
}

async function sendArchive(request: FastifyRequest, reply: FastifyReply, library: Library) {
  const archived = await listArchived(library, requireUser(request).userId, readArchived(request.query));
  const day = library.clock.now().toISOString().slice(0, 10);
  reply.headers({
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="plinth-history-${day}.zip"`,
    ...SAFE_HEADERS,
  });
  return request.method === 'HEAD' ? reply.send() : reply.send(makeArchive(library, archived));
}

async function sendPreview(
  request: FastifyRequest,
  reply: FastifyReply,
  version: string,
  make: (widthPx: number) => Promise<Buffer>,
) {
  const { width } = request.query as { width?: unknown };
  const widthPx = PREVIEW_WIDTHS.find((one) => String(one) === width);
  if (widthPx === undefined) throw fieldError('width', 'invalid_option');
  const etag = `"${version}-${widthPx}"`;
  const headers = { ETag: etag, 'Cache-Control': 'private, max-age=3600' };
  if (hasVersion(request, etag)) return reply.headers(headers).status(304).send();
  const preview = await make(widthPx);
  return reply.headers({ ...headers, ...SAFE_HEADERS, 'Content-Type': 'image/webp' }).send(preview);
}

/** A file of a person is never run as a page, nor read by another site. */
const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

async function sendMedia(request: FastifyRequest, reply: FastifyReply, library: Library, media: MediaRow) {
  const etag = `"${media.sha256}"`;
  if (hasVersion(request, etag)) {
    return reply.status(304).headers({ ETag: etag, 'Cache-Control': 'private, no-store' }).send();
  }
  // A range is a matter of GET alone (RFC 9110, 14.2).
  const isHead = request.method === 'HEAD';
  const range = isHead ? null : readRange(request, media.bytes, etag);
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${media.bytes}`);
    throw new AppError('range_not_satisfiable');
  }
  // One byte shows that the rest is there; the framework throws it away and keeps the length that is set below.
  const content = await openContent(library, media, isHead ? { start: 0, end: 0 } : range);
  reply.headers({
    'Content-Type': media.contentType,
    'Content-Length': range === null ? media.bytes : range.end - range.start + 1,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    ...SAFE_HEADERS,
    'Cache-Control': 'private, no-store',
  });
  if (range !== null) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${media.bytes}`);
  return reply.send(content);
}

/** Whether the caller names the version that he has, or any (RFC 9110, 13.1.2: compared weakly). */
function hasVersion(request: FastifyRequest, etag: string): boolean {
  const named = request.headers['if-none-match'] ?? '';
  return named.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}

async function openContent(library: Library, media: MediaRow, range: ByteRange | null): Promise<Readable> {
  const stream = await library.storage.read(media.key, range ?? undefined);
  if (stream === undefined) throw new AppError('not_found');
  return stream;
}

/** The one range a request asks for; null for the whole: no range, several, a foreign unit, or another version. */
function readRange(request: FastifyRequest, size: number, etag: string): ByteRange | null | 'unsatisfiable' {
  const asked = /^bytes=(\d*)-(\d*)$/i.exec(request.headers.range ?? '');
  const ifRange = request.headers['if-range'];
  if (asked === null || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, from = '', to = ''] = asked;
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
