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
type OfPack = FastifyRequest<{ Params: { id: string; pack: string } }>;

type PackOptions = Packs & FormOptions & { limits: RequestLimits };

export function addPackRoutes(http: FastifyInstance, options: PackOptions): void {
  const { limits } = options;
  const list = { items: packIds.map(describePack) };
  addRoute(http, 'get /packs', async () => list);

  const onlyOwn = (request: OfMedia) => getOwnMedia(request, options);
  const onlyKnownLook = (request: OfMedia) => readRequestedLook(request, options);
  const countRender = countBy(limits, 'pack');
  const ofPack = { guards: [onlyKnownPack, onlyOwn, onlyKnownLook, countRender] };
  const ofPackshot = { guards: [onlyOwn, onlyKnownLook, countRender] };
  addRoute(http, 'get /media/{id}/packs/{pack}', ofPack, async (request, reply) =>
    sendRendered(request, reply, options, {
      pack: getPack(request),
      look: await readRequestedLook(request, options),
    }),
  );
  addRoute(http, 'get /media/{id}/packs/{pack}/preview', ofPack, async (request, reply) =>
    sendPreview(request, reply, options, {
      pack: getPack(request),
      look: await readRequestedLook(request, options),
    }),
  );
  addRoute(http, 'get /media/{id}/packshot', ofPackshot, async (request, reply) => {
    const { settings } = request.query as { settings?: unknown };
    const saved = settings === undefined ? await readRequestedLook(request, options) : parseSettings(settings);
    return sendRendered(request, reply, options, { pack: null, look: saved ?? standardLook });
  });
  addRoute(http, 'get /media/{id}/packshot/preview', ofPackshot, (request, reply) => {
    const look = parseSettings((request.query as { settings?: unknown }).settings);
    return sendPreview(request, reply, options, { pack: null, look });
  });

  const countCheck = countBy(limits, 'check');
  addRoute(http, 'get /media/{id}/checks', { guards: [onlyOwn, countCheck] }, async (request) => ({
    items: await checkMedia(options, await getOwnMedia(request, options)),
  }));
  addRoute(http, 'post /checks', { guards: [countCheck] }, (request) =>
    withForm(request, options, async (form) => ({
      items: await checkPicture(options, await readSingleFile(form, 'image', checkField)),
    })),
  );
}

/** Sends a file rendered for this request, whole or in part. */
async function sendRendered(request: OfMedia, reply: FastifyReply, options: PackOptions, fileRequest: FileRequest) {
  const file = await renderFile(options, await getOwnMedia(request, options), fileRequest);
  const { filename, contentType, content, enlarged, look } = file;
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

async function sendPreview(request: OfMedia, reply: FastifyReply, options: PackOptions, { pack, look }: FileRequest) {
  const media = await getOwnMedia(request, options);
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

const onlyKnownPack = async (request: OfPack) => getPack(request);

function getPack({ params: { pack } }: OfPack): PackId {
  if (!isPackId(pack)) throw new AppError('not_found');
  return pack;
}

/** Other figures or looks produce other files. */
const hashShort = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 8);
