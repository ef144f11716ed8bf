import { PREVIEW_WIDTHS } from '@plinth/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute } from '../platform/http/route.ts';
import { listArchiveFiles, makeArchive, readArchiveIds } from './archive.ts';
import { deleteMedia } from './deletion.ts';
import { getMedia, getPhoto, type Library, listMedia, type MediaRow, nameResult, toMedia } from './library.ts';
import { listReceipts } from './receipts.ts';
import { makeBeforePreview, makePoster, makePreview, type SignDerived } from './previews.ts';
import { SAFE_HEADERS, sendFile, sendSmall, sendZip, setDownloadName } from './sending.ts';

export function addMediaRoutes(http: FastifyInstance, library: Library, sign: SignDerived): void {
  const getOwn = (request: FastifyRequest<{ Params: { id: string } }>) =>
    getMedia(library, requireUser(request).userId, request.params.id);
  const download = { counts: 'download' } as const;
  addRoute(http, 'get /media', (request) => listMedia(library, requireUser(request).userId, readPage(request)));
  addRoute(http, 'get /media/archive', download, (request, reply) => sendArchive(request, reply, library));
  addRoute(http, 'get /media/receipts', (request) =>
    listReceipts(library.db, requireUser(request).userId, readPage(request)),
  );
  addRoute(http, 'get /media/{id}', async (request) => toMedia(library, await getOwn(request)));
  addRoute(http, 'get /media/{id}/preview', async (request, reply) => {
    const media = await getOwn(request);
    return sendPreview(request, reply, media.sha256, (widthPx) => makePreview(library, media, widthPx));
  });
  addRoute(http, 'get /generations/{id}/before', async (request, reply) => {
    const { id } = request.params;
    const photo = await getPhoto(library, requireUser(request).userId, id);
    // A generation's photo never changes.
    return sendPreview(request, reply, `before-${id}`, (widthPx) => makeBeforePreview(library, photo, widthPx));
  });
  addRoute(http, 'get /media/{id}/poster', async (request, reply) => {
    const media = await getOwn(request);
    const poster = await makePoster(library, media, sign);
    return reply.headers(SAFE_HEADERS).type('image/jpeg').send(poster);
  });
  const sendOwn = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) =>
    sendMedia(request, reply, library, await getOwn(request));
  addRoute(http, 'get /media/{id}/content', download, sendOwn);
  addRoute(http, 'get /media/{id}/download', download, async (request, reply) => {
    const media = await getOwn(request);
    setDownloadName(reply, nameResult(media));
    return sendMedia(request, reply, library, media);
  });
  addRoute(http, 'delete /media/{id}', (request) =>
    deleteMedia(library, requireUser(request).userId, request.params.id),
  );
}

async function sendArchive(request: FastifyRequest, reply: FastifyReply, library: Library) {
  const files = await listArchiveFiles(library, requireUser(request).userId, readArchiveIds(request.query));
  const day = library.clock.now().toISOString().slice(0, 10);
  reply.headers({ 'Content-Disposition': `attachment; filename="plinth-history-${day}.zip"`, ...SAFE_HEADERS });
  return sendZip(request, reply, () => makeArchive(library, files));
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
  return sendSmall(request, reply, `"${version}-${widthPx}"`, () => make(widthPx));
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
