import type { LookShown, Shadow } from '@plinth/contract/looks';
import { stemOf } from '@plinth/contract/names';
import type { PackId } from '@plinth/contract/pack-names';
import { type PackCheck, packFilename, packs, type PackSubject, type RuleId } from '@plinth/contract/packs';
import sharp from 'sharp';
import { decode } from '../media/decoding.ts';
import { type Library, type MediaRow, readContent } from '../media/library.ts';
import { readManifests, signDerived } from '../origin/labels.ts';
import type { Signer } from '../origin/sign.ts';
import { AppError } from '../platform/errors.ts';
import { checkPacks } from './rules.ts';
import type { LookOptions } from './arrange.ts';
import type { RenderJob } from './thread.ts';
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
export type FileRequest = { pack: PackId | null } & LookOptions;

/** A finished file: name, type and bytes; the rest as in `Rendered`. */
type PackFile = {
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
export async function renderFile(deps: Packs, media: MediaRow, request: FileRequest): Promise<PackFile> {
  const content = await readPicture(deps.library, media);
  // Signed after rendering, it still respects the pack's limit of bytes.
  const spareBytes = deps.signer.measure({ manifests: readManifests(content) });
  const rendered = await renderBy(deps, { media, content, ...request, spareBytes }, deps.threads.render);
  const signed = await signDerived(rendered.content, content, media.createdAt, deps.signer);
  return { ...rendered, content: signed, ...describeFile(media, request) };
}

function describeFile(media: MediaRow, { pack, look }: FileRequest): Pick<PackFile, 'filename' | 'contentType'> {
  const { originalFilename, photoName } = media;
  if (pack !== null)
    return { filename: packFilename(originalFilename, pack), contentType: packs[pack].picture.contentType };
  const ending = look?.canvas === 'transparent' ? 'png' : 'jpg';
  const filename = `${stemOf(photoName ?? originalFilename)}-packshot.${ending}`;
  return { filename, contentType: ending === 'png' ? 'image/png' : 'image/jpeg' };
}

/** A small WebP preview of the file, for pictures of any size. @throws AppError as `renderFile` */
export async function previewFile(deps: Packs, media: MediaRow, request: FileRequest): Promise<Buffer> {
  const content = await readPicture(deps.library, media);
  return (await renderBy(deps, { media, content, ...request }, deps.threads.preview)).content;
}

async function renderBy(
  { threads, shade }: Packs,
  { media, ...job }: Omit<RenderJob, 'shadowImage'> & { media: MediaRow },
  render: Threads['render'],
) {
  const { pack, look } = job;
  const side = look?.size ?? 0;
  const { width, height } = pack === null ? { width: side, height: side } : packs[pack].picture;
  const pixels = media.width * media.height + (width ?? 0) * (height ?? 0);
  const wantsShadow = look !== null && look.shadow !== 'none';
  const caster = wantsShadow ? await decode('preview', pixels, () => threads.shadowCaster(job)) : undefined;
  const angle = look?.shadowAngle ?? 0;
  const shadowImage = caster && new Uint8Array(await shade(Buffer.from(caster.content), caster.shadow, angle));
  const rendered = await decode('preview', pixels, () => render({ ...job, shadowImage }));
  if ('refusal' in rendered) throw new AppError(rendered.refusal);
  return { ...rendered, content: Buffer.from(rendered.content) };
}

type Picture = { content: Buffer; width: number; height: number };

/** Measures the subject for packs. @throws AppError temporarily_unavailable without free memory */
export const measureSubject = ({ threads }: Packs, { content, width, height }: Picture): Promise<PackSubject> =>
  decode('preview', width * height, () => threads.subject(content));

/** As `measureSubject`. @throws AppError pack_not_possible for a video, not_found when the bytes are gone */
export async function measureMedia(deps: Packs, media: MediaRow): Promise<PackSubject> {
  return measureSubject(deps, { ...media, content: await readPicture(deps.library, media) });
}

/** The rule that prevented an export; undefined for other errors. */
export function findBrokenRule(error: unknown, pack: PackId): RuleId | undefined {
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
export async function checkMedia(deps: Packs, media: MediaRow): Promise<PackCheck[]> {
  return checkPicture(deps, await readPicture(deps.library, media));
}

/** Checks a picture by every pack. @throws AppError image_unreadable, temporarily_unavailable */
export async function checkPicture({ threads, cutOut }: Packs, content: Buffer): Promise<PackCheck[]> {
  const { width, height } = await sharp(content).metadata();
  const copy = await decode('preview', width * height, () => threads.engineCopy(content));
  if (copy === 'unreadable') throw new AppError('image_unreadable');
  const mask = copy.content === null ? undefined : await cutOut(Buffer.from(copy.content));
  return checkPacks(await decode('preview', width * height, () => threads.measure({ content, mask })));
}

async function readPicture(library: Library, media: MediaRow): Promise<Buffer> {
  if (media.contentType.startsWith('video/')) throw new AppError('pack_not_possible');
  return readContent(library, media);
}
