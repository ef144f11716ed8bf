import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type LookSettings, standardLook } from '@plinth/contract/looks';
import { isPackId, type PackId, packIds } from '@plinth/contract/pack-names';
import { checkField, describePack, packs } from '@plinth/contract/packs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseSettings, readLook } from '../looks/looks.ts';
import { readSingleFile } from '../media/uploads.ts';
import { type FormOptions, withForm } from '../media/form.ts';
import { getMedia, type MediaRow } from '../media/library.ts';
import { sendFile, sendSmall, setDownloadName } from '../media/sending.ts';
import { AppError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { addRoute, countBy } from '../platform/http/route.ts';
import { checkMedia, checkPicture, type FileRequest, type Packs, previewFile, renderFile } from './packs.ts';

type OfMedia = FastifyRequest<{ Params: { id: string } }>;

type PackOptions = Packs & FormOptions & { limits: RequestLimits };

export function addPackRoutes(http: FastifyInstance, options: PackOptions): void {
  const { limits } = options;
  const list = { items: packIds.map(describePack) };
  addRoute(http, 'get /packs', async () => list);

  addRoute(http, 'get /media/{id}/packs/{pack}', async (request, reply) => {
    const pack = getPack(request.params.pack);
    const { media, look } = await startRendering(request, options);
    return sendRendered(request, reply, options, media, { pack, look });
  });
  addRoute(http, 'get /media/{id}/packs/{pack}/preview', async (request, reply) => {
    const pack = getPack(request.params.pack);
    const { media, look } = await startRendering(request, options);
    return sendPreview(request, reply, options, media, { pack, look });
  });
  addRoute(http, 'get /media/{id}/packshot', async (request, reply) => {
    const { media, look } = await startRendering(request, options);
    const { settings } = request.query as { settings?: unknown };
    const own = settings === undefined ? (look ?? standardLook) : parseSettings(settings);
    return sendRendered(request, reply, options, media, { pack: null, look: own });
  });
  addRoute(http, 'get /media/{id}/packshot/preview', async (request, reply) => {
    const { media } = await startRendering(request, options);
    const look = parseSettings((request.query as { settings?: unknown }).settings);
    return sendPreview(request, reply, options, media, { pack: null, look });
  });

  const countCheck = countBy(limits, 'check');
  addRoute(http, 'get /media/{id}/checks', async (request, reply) => {
    const media = await getOwnMedia(request, options);
    await countCheck(request, reply);
    return { items: await checkMedia(options, media) };
  });
  addRoute(http, 'post /checks', { guards: [countCheck] }, (request) =>
    withForm(request, options, async (form) => ({
      items: await checkPicture(options, await readSingleFile(form, 'image', checkField)),
    })),
  );
}

/** The result and the look of a request, which is counted once both are known to exist. */
async function startRendering(request: OfMedia, options: PackOptions) {
  const media = await getOwnMedia(request, options);
  const look = await readRequestedLook(request, options);
  await options.limits.count('pack', requireUser(request).rateLimitKey);
  return { media, look };
}

/** Sends a file rendered for this request, whole or in part. */
async function sendRendered(
  request: OfMedia,
  reply: FastifyReply,
  options: PackOptions,
  media: MediaRow,
  fileRequest: FileRequest,
) {
  const { filename, contentType, content, enlarged, look } = await renderFile(options, media, fileRequest);
  setDownloadName(reply, filename);
  reply.header('Plinth-Look', look);
  // The scale factor of the product or picture, rounded to 1/100.
  const factor = Math.round(enlarged * 100) / 100;
  if (factor > 1) reply.header('Plinth-Enlarged', String(factor));
  const etag = `"${hash('sha256', content, 'hex')}"`;
  const open = async (range: { start: number; end: number } | null) =>
    Readable.from([range === null ? content : content.subarray(range.start, range.end + 1)]);
  return sendFile(request, reply, { contentType, bytes: content.byteLength, etag, open });
}

function sendPreview(
  request: OfMedia,
  reply: FastifyReply,
  options: PackOptions,
  media: MediaRow,
  { pack, look }: FileRequest,
) {
  const etag = `"${media.sha256}-${pack}-${hashShort([pack && packs[pack], look])}"`;
  return sendSmall(request, reply, etag, () => previewFile(options, media, { pack, look }));
}

/** The look named in the address; null without one. @throws AppError look_not_found */
async function readRequestedLook(request: FastifyRequest, { library }: PackOptions): Promise<LookSettings | null> {
  const { look } = request.query as { look?: unknown };
  if (look === undefined || look === '') return null;
  // A repeated parameter names no existing look.
  return readLook(library.db, requireUser(request).userId, typeof look === 'string' ? look : '');
}

const getOwnMedia = (request: OfMedia, { library }: PackOptions): Promise<MediaRow> =>
  getMedia(library, requireUser(request).userId, request.params.id);

function getPack(pack: string): PackId {
  if (!isPackId(pack)) throw new AppError('not_found');
  return pack;
}

/** Other figures or looks produce other files. */
const hashShort = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 8);
