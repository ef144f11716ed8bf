import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type LookSettings, standardLook } from '@plinth/contract/looks';
import { isPackId, type PackId, packIds } from '@plinth/contract/pack-names';
import { checkField, describePack, packs } from '@plinth/contract/packs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseSettings, readLook } from '../looks/looks.ts';
import { readLonePicture } from '../media/uploads.ts';
import { type FormOptions, withForm } from '../media/form.ts';
import { getNamedMedia, type NamedMedia } from '../media/library.ts';
import { nameDownload, SAFE_HEADERS, sendFile, sendSmall } from '../media/sending.ts';
import { AppError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { addRoute, countBy } from '../platform/http/route.ts';
import {
  checkMedia,
  checkPicture,
  type PackFile,
  type Packs,
  previewFile,
  renderPackFile,
  renderPackshotFile,
} from './packs.ts';

type OfMedia = FastifyRequest<{ Params: { id: string } }>;
type OfPack = FastifyRequest<{ Params: { id: string; pack: string } }>;

export type PackOptions = Packs & FormOptions & { limits: RequestLimits };

export function addPackRoutes(http: FastifyInstance, options: PackOptions): void {
  const { limits } = options;
  const list = { items: packIds.map(describePack) };
  addRoute(http, 'get /packs', async () => list);

  const onlyOwn = (request: OfMedia) => ownMedia(request, options);
  const countRender = countBy(limits, 'pack');
  const ofPack = { guards: [knownPack, onlyOwn, countRender] };
  addRoute(http, 'get /media/{id}/packs/{pack}', ofPack, async (request, reply) => {
    const look = await askedLook(request, options);
    const media = await ownMedia(request, options);
    return sendMade(request, reply, await renderPackFile(options, media, packOf(request), { look, share: 1 }));
  });
  addRoute(http, 'get /media/{id}/packs/{pack}/preview', ofPack, (request, reply) =>
    sendPreview(request, reply, options),
  );
  addRoute(http, 'get /media/{id}/packshot', { guards: [onlyOwn, countRender] }, async (request, reply) => {
    const { settings } = request.query as { settings?: unknown };
    const look =
      settings === undefined ? ((await askedLook(request, options)) ?? standardLook) : parseSettings(settings);
    const media = await ownMedia(request, options);
    return sendMade(request, reply, await renderPackshotFile(options, media, { look, share: 1 }));
  });
  addRoute(http, 'get /media/{id}/packshot/preview', { guards: [onlyOwn, countRender] }, async (request, reply) => {
    const { settings } = request.query as { settings?: unknown };
    const look = parseSettings(settings);
    const media = await ownMedia(request, options);
    const small = await previewFile(options, media, { pack: null, asked: { look, share: 1 } });
    const headers = { ...SAFE_HEADERS, 'Cache-Control': 'private, max-age=3600', 'Content-Type': 'image/webp' };
    return reply.headers(headers).send(small);
  });
  addCheckRoutes(http, options);
}

function addCheckRoutes(http: FastifyInstance, options: PackOptions): void {
  const countCheck = countBy(options.limits, 'check');
  const onlyOwn = (request: OfMedia) => ownMedia(request, options);
  addRoute(http, 'get /media/{id}/checks', { guards: [onlyOwn, countCheck] }, async (request) => {
    const media = await ownMedia(request, options);
    return { items: await checkMedia(options, media) };
  });
  addRoute(http, 'post /checks', { guards: [countCheck] }, (request) =>
    withForm(request, options, async (form) => ({
      items: await checkPicture(options, await readLonePicture(form, checkField)),
    })),
  );
}

async function sendPreview(request: OfPack, reply: FastifyReply, options: PackOptions) {
  const look = await askedLook(request, options);
  const media = await ownMedia(request, options);
  const pack = packOf(request);
  const etag = `"${media.sha256}-${pack}-${hashShort([packs[pack], look])}"`;
  const make = () => previewFile(options, media, { pack, asked: { look, share: 1 } });
  return sendSmall(request, reply, etag, make);
}

/** Sends a file that was made for this request, whole or in part. */
function sendMade(request: FastifyRequest, reply: FastifyReply, made: PackFile) {
  const { filename, contentType, content, enlarged, look } = made;
  nameDownload(reply, filename);
  reply.header('Plinth-Look', look);
  // How many times its own size the product or picture has, to a hundredth.
  if (enlarged > 1) reply.header('Plinth-Enlarged', String(Math.round(enlarged * 100) / 100));
  const etag = `"${hash('sha256', content, 'hex')}"`;
  const open = async (range: { start: number; end: number } | null) =>
    Readable.from([range === null ? content : content.subarray(range.start, range.end + 1)]);
  return sendFile(request, reply, { contentType, bytes: content.byteLength, etag, open });
}

/** The look that the address names; null where it names none. @throws AppError look_not_found */
async function askedLook(request: FastifyRequest, { library }: PackOptions): Promise<LookSettings | null> {
  const { look } = request.query as { look?: unknown };
  if (look === undefined || look === '') return null;
  // Named twice it is none that there is.
  return readLook(library.db, requireUser(request).userId, typeof look === 'string' ? look : '');
}

const ownMedia = (request: OfMedia, { library }: PackOptions): Promise<NamedMedia> =>
  getNamedMedia(library, requireUser(request).userId, request.params.id);

const knownPack = async (request: OfPack) => packOf(request);

function packOf({ params: { pack } }: OfPack): PackId {
  if (!isPackId(pack)) throw new AppError('not_found');
  return pack;
}

/** Other figures and other looks make other files. */
const hashShort = (made: unknown) => hash('sha256', JSON.stringify(made), 'base64url').slice(0, 8);
