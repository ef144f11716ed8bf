import { PREVIEW_WIDTHS } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../platform/errors.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { readPage } from '../platform/http/paging.ts';
import { listArchived, makeArchive, readArchived } from './archive.ts';
import { deleteMedia } from './deletion.ts';
import { getMedia, type Library, listMedia, type MediaRow, nameResult, toMedia } from './library.ts';
import { listReceipts } from './receipts.ts';
import { makeBefore, makePoster, makePreview } from './previews.ts';
import { hasVersion, nameDownload, SAFE_HEADERS, sendFile } from './sending.ts';

type WithId = { Params: { id: string } };

export function addMediaRoutes(http: FastifyInstance, library: Library): void {
  const guard = { onRequest: onlySignedIn };
  const download = { ...guard, config: { counts: 'download' } } as const;
  http.get('/api/v1/media', guard, async (request) =>
    listMedia(library, requireUser(request).userId, readPage(request.query)),
  );
  http.get('/api/v1/media/archive', download, async (request, reply) => sendArchive(request, reply, library));
  http.get('/api/v1/media/receipts', guard, async (request) =>
    listReceipts(library.db, requireUser(request).userId, readPage(request.query)),
  );
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
  http.get<WithId>('/api/v1/media/:id/poster', guard, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    return sendSmall(request, reply, { etag: `"poster-${media.sha256}"`, type: 'image/jpeg' }, () =>
      makePoster(library, media),
    );
  });
  http.get<WithId>('/api/v1/media/:id/content', download, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    return sendMedia(request, reply, library, media);
  });
  http.get<WithId>('/api/v1/media/:id/download', download, async (request, reply) => {
    const media = await getMedia(library, requireUser(request).userId, request.params.id);
    nameDownload(reply, nameResult(media));
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
  return sendSmall(request, reply, { etag: `"${version}-${widthPx}"`, type: 'image/webp' }, () => make(widthPx));
}

async function sendSmall(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type }: { etag: string; type: string },
  make: () => Promise<Buffer>,
) {
  const headers = { ETag: etag, 'Cache-Control': 'private, max-age=3600' };
  if (hasVersion(request, etag)) return reply.headers(headers).status(304).send();
  const picture = await make();
  return reply.headers({ ...headers, ...SAFE_HEADERS, 'Content-Type': type }).send(picture);
}

function sendMedia(request: FastifyRequest, reply: FastifyReply, library: Library, media: MediaRow) {
  return sendFile(request, reply, {
    contentType: media.contentType,
    bytes: media.bytes,
    etag: `"${media.sha256}"`,
    open: async (range) => {
      const stream = await library.storage.read(media.key, range ?? undefined);
      if (stream === undefined) throw new AppError('not_found');
      return stream;
    },
  });
}
