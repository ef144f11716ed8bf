import type { LookShown, Shadow } from '@plinth/contract/looks';
import type { PackId } from '@plinth/contract/pack-names';
import { packFilename, type PackCheck, packs, type PackSubject, type RuleId } from '@plinth/contract/packs';
import sharp from 'sharp';
import { decode } from '../media/decoding.ts';
import { type Library, type MediaRow, readContent, stemOf } from '../media/library.ts';
import { readManifests, signDerived } from '../origin/labels.ts';
import type { Signer } from '../origin/sign.ts';
import { AppError } from '../platform/errors.ts';
import { checkPacks } from './rules.ts';
import type { Asked } from './arrange.ts';
import type { Threads } from './threads.ts';

export type Packs = {
  library: Library;
  threads: Threads;
  signer: Signer;
  /** The engine's cut-out, of any size; undefined without a product. @throws AppError temporarily_unavailable */
  cutOut: (picture: Buffer) => Promise<Buffer | undefined>;
  /** The engine's shadow or reflection of a product, a PNG of the frame's size. @throws AppError as `cutOut` */
  shade: (product: Buffer, kind: Exclude<Shadow, 'none'>, angle: number) => Promise<Buffer>;
};

/** The kind of file: a pack's, or (null) a square packshot by the look. */
export type ToMake = { pack: PackId | null; asked: Asked };

/** A finished file: name, type and bytes; the rest as in `Rendered`. */
export type PackFile = {
  filename: string;
  contentType: 'image/png' | 'image/jpeg';
  content: Buffer;
  enlarged: number;
  look: LookShown;
};

/**
 * Makes a file for publication, with a manifest about its source; deterministic.
 * @throws AppError pack_not_possible for a video, cutout_needed, picture_too_small, not_found when the bytes are gone
 */
export async function renderFile(room: Packs, media: MediaRow, what: ToMake): Promise<PackFile> {
  const content = await readPicture(room.library, media);
  // Signed after rendering, it still respects the pack's limit of bytes.
  const spareBytes = room.signer.measure({ manifests: readManifests(content) });
  const made = await renderBy(room, { media, content, ...what, spareBytes }, room.threads.render);
  const signed = await signDerived(made.content, content, media.createdAt, room.signer);
  return { ...made, content: signed, ...describeFile(media, what) };
}

function describeFile(media: MediaRow, { pack, asked }: ToMake): Pick<PackFile, 'filename' | 'contentType'> {
  const { originalFilename, photoName } = media;
  if (pack !== null)
    return { filename: packFilename(originalFilename, pack), contentType: packs[pack].picture.contentType };
  const ending = asked.look?.canvas === 'transparent' ? 'png' : 'jpg';
  const filename = `${stemOf(photoName ?? originalFilename)}-packshot.${ending}`;
  return { filename, contentType: ending === 'png' ? 'image/png' : 'image/jpeg' };
}

/** A small WebP preview of the file, for pictures of any size. @throws AppError as `renderFile` */
export async function previewFile(room: Packs, media: MediaRow, what: ToMake): Promise<Buffer> {
  const content = await readPicture(room.library, media);
  return (await renderBy(room, { media, content, ...what }, room.threads.preview)).content;
}

async function renderBy(
  { threads, shade }: Packs,
  { media, content, pack, asked, spareBytes = 0 }: ToMake & { media: MediaRow; content: Buffer; spareBytes?: number },
  render: Threads['render'],
) {
  const side = asked.look?.size ?? 0;
  const { width, height } = pack === null ? { width: side, height: side } : packs[pack].picture;
  const pixels = media.width * media.height + (width ?? 0) * (height ?? 0);
  const given = { content, pack, wish: { ...asked, spareBytes } };
  const wantsShadow = asked.look !== null && asked.look.shadow !== 'none';
  const standing = wantsShadow ? await decode('look', pixels, () => threads.stand(given)) : undefined;
  const angle = asked.look?.shadowAngle ?? 0;
  const under = standing && new Uint8Array(await shade(Buffer.from(standing.content), standing.shadow, angle));
  const rendered = await decode('look', pixels, () => render({ ...given, wish: { ...given.wish, under } }));
  if ('refusal' in rendered) throw new AppError(rendered.refusal);
  return { ...rendered, content: Buffer.from(rendered.content) };
}

type Picture = { content: Buffer; width: number; height: number };

/** Measures the subject for packs. @throws AppError temporarily_unavailable without free memory */
export const measureSubject = ({ threads }: Packs, { content, width, height }: Picture): Promise<PackSubject> =>
  decode('look', width * height, () => threads.subject(content));

/** As `measureSubject`. @throws AppError pack_not_possible for a video, not_found when the bytes are gone */
export async function measureMedia(room: Packs, media: MediaRow): Promise<PackSubject> {
  return measureSubject(room, { ...media, content: await readPicture(room.library, media) });
}

/** The rule that prevented an export; undefined for other errors. */
export function findRuleBehind(error: unknown, pack: PackId): RuleId | undefined {
  switch (error instanceof AppError && error.code) {
    case 'cutout_needed':
      return packs[pack].picture.width === null ? 'has-transparency' : 'background-white';
    case 'picture_too_small':
      return 'size-min';
    case 'pack_not_possible':
      return 'file-type';
    default:
      return undefined;
  }
}

/** Checks a media item by every pack. @throws AppError pack_not_possible for a video, temporarily_unavailable */
export async function checkMedia(room: Packs, media: MediaRow): Promise<PackCheck[]> {
  return checkPicture(room, await readPicture(room.library, media));
}

/** Checks a picture by every pack. @throws AppError image_unreadable, temporarily_unavailable */
export async function checkPicture({ threads, cutOut }: Packs, content: Buffer): Promise<PackCheck[]> {
  const { width, height } = await sharp(content).metadata();
  const shown = await decode('look', width * height, () => threads.show(content));
  if (shown === 'unreadable') throw new AppError('image_unreadable');
  const mask = shown.content === null ? undefined : await cutOut(Buffer.from(shown.content));
  return checkPacks(await decode('look', width * height, () => threads.measure({ content, mask })));
}

async function readPicture(library: Library, media: MediaRow): Promise<Buffer> {
  if (media.contentType.startsWith('video/')) throw new AppError('pack_not_possible');
  return readContent(library, media);
}
