import { type Media, mediaUrls } from '@plinth/contract/media';
import { stemOf } from '@plinth/contract/names';
import type { PackSubject } from '@plinth/contract/packs';
import type { ImageField, Tool } from '@plinth/contract/tool';
import { mainPictureField, pickTexts } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, getRow, type Tx } from '../platform/data/db.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { appendEvent } from '../platform/data/events.ts';
import { newId, newToken } from '../platform/ids.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { readTotals } from '../platform/data/running-totals.ts';
import { removeFiles, type Storage } from '../platform/data/storage.ts';
import type { FormFile } from './form.ts';
import type { LabelledResult } from './results.ts';
import type { Picture } from './uploads.ts';

/** Dependencies of all functions here: rows, bytes, time, and the lifetime of media. */
export type Library = {
  db: Db;
  storage: Storage;
  clock: Clock;
  ttlSeconds: number;
  maxStorageBytes: number | undefined;
};

type StoredUpload = { field: string; key: string; picture: Picture; sha256: string };

/** Writes uploads to storage; their rows follow in the accepting transaction. @throws AppError storage_full */
export async function storeUploads(library: Library, pictures: Map<string, Picture>): Promise<StoredUpload[]> {
  const stored: StoredUpload[] = [];
  try {
    await refuseWhenFull(
      library,
      [...pictures.values()].reduce((sum, picture) => sum + picture.content.byteLength, 0),
    );
    for (const [field, picture] of pictures) {
      const extension = picture.contentType === 'image/png' ? 'png' : 'jpg';
      const key = `uploads/${newToken()}.${extension}`;
      await library.storage.put(key, picture.content, picture.contentType);
      const sha256 = hash('sha256', picture.content, 'hex');
      stored.push({ field, key, picture, sha256 });
    }
    return stored;
  } catch (error) {
    await removeUploads(library, stored);
    throw error;
  }
}

/** Deletes uploads whose request was rejected after all. */
export async function removeUploads(library: Library, uploads: StoredUpload[]): Promise<void> {
  await removeFiles(
    library.storage,
    uploads.map(({ key }) => key),
  );
}

async function refuseWhenFull(library: Library, moreBytes: number): Promise<void> {
  if (library.maxStorageBytes === undefined) return;
  const totals = await measureStored(library.db);
  const bytes = totals.reduce((sum, kind) => sum + kind.bytes, 0);
  if (bytes + moreBytes > library.maxStorageBytes) throw new AppError('storage_full');
}

type StoredTotal = { kind: 'upload' | 'result'; objects: number; bytes: number; oldestSeconds: number };

/** Number, bytes and age of the oldest (in seconds) of all files with a row. */
export async function measureStored(db: Db): Promise<StoredTotal[]> {
  const total = await readTotals(db);
  const found = await sql<{ upload: number; result: number }>`
    select
      (select coalesce(extract(epoch from now() - min(created_at)), 0) from uploads where deleted_at is null) as upload,
      (select coalesce(extract(epoch from now() - min(created_at)), 0) from generated_media where deleted_at is null)
        as result`.execute(db);
  return (['upload', 'result'] as const).map((kind) => {
    const { number, amount } = total(kind);
    return { kind, objects: number, bytes: amount, oldestSeconds: found.rows[0]?.[kind] ?? 0 };
  });
}

type Owner = { userId: string; generationId: string };

export async function insertUploads(tx: Tx, clock: Clock, owner: Owner, uploads: StoredUpload[]): Promise<void> {
  for (const { field, key, picture, sha256 } of uploads) {
    await sql`
      insert into uploads (id, user_id, generation_id, field, object_key, content_type, bytes, width, height, sha256,
        filename, created_at)
      values (${newId('upl')}, ${owner.userId}, ${owner.generationId}, ${field}, ${key}, ${picture.contentType},
        ${picture.content.byteLength}, ${picture.width}, ${picture.height}, ${sha256},
        ${picture.filename ?? null}, ${clock.now()})`.execute(tx);
  }
}

/** Moves the pictures of a failed generation to its retry. */
export async function moveUploads(tx: Tx, fromGenerationId: string, toGenerationId: string): Promise<void> {
  await sql`
    update uploads set generation_id = ${toGenerationId} where generation_id = ${fromGenerationId}`.execute(tx);
}

type UploadedPicture = { content: Buffer; contentType: string };

/** A generation's pictures (for a redo: of its first try) by field name, without deleted ones. */
export async function readUploads(library: Library, generationId: string): Promise<Map<string, UploadedPicture>> {
  const found = await sql<Row<'uploads', 'field' | 'contentType'> & { key: Column<'uploads', 'objectKey'> }>`
    select u.field, u.object_key as key, u.content_type as "contentType"
    from uploads u join media_sources g on u.generation_id = coalesce(g.redo_of, g.id)
    where g.id = ${generationId} and u.deleted_at is null`.execute(library.db);
  const pictures = new Map<string, UploadedPicture>();
  for (const { field, key, contentType } of found.rows) {
    const content = await library.storage.readWhole(key);
    if (content !== undefined) pictures.set(field, { content, contentType });
  }
  return pictures;
}

/** `packSubject`: null if it has no packs or was not measured. */
export type StoredResult = { key: string; result: LabelledResult; packSubject: PackSubject | null };

/** Writes a checked and labelled result to storage; its row follows in the settling transaction. */
export async function storeResult(
  library: Library,
  tool: Tool,
  { result, packSubject }: Omit<StoredResult, 'key'>,
): Promise<StoredResult> {
  await refuseWhenFull(library, result.content.byteLength);
  const key = `results/${tool.file.folder}/${result.createdAt.getTime()}-${newToken()}.${tool.file.type}`;
  await library.storage.put(key, result.content, result.contentType);
  return { key, result, packSubject };
}

/** Inserts the history row and its event. */
export async function insertMedia(tx: Tx, owner: Owner, tool: Tool, stored: StoredResult): Promise<void> {
  const id = newId('med');
  // The time that is signed in the file.
  const { content, contentType, width, height, sha256, createdAt } = stored.result;
  const subject = stored.packSubject && JSON.stringify(stored.packSubject);
  const filename = `${tool.file.name}-${createdAt.getTime()}.${tool.file.type}`;
  await sql`
    insert into generated_media (id, user_id, generation_id, media_type, storage_path, original_filename, content_type,
      bytes, width, height, sha256, pack_subject, created_at)
    values (${id}, ${owner.userId}, ${owner.generationId}, ${tool.mediaType}, ${stored.key}, ${filename}, ${contentType},
      ${content.byteLength}, ${width}, ${height}, ${sha256}, ${subject}::jsonb,
      ${createdAt})`.execute(tx);
  await appendEvent(tx, owner.userId, 'media', { action: 'created', id });
}

export type MediaRow = Row<
  'generatedMedia',
  'id' | 'mediaType' | 'contentType' | 'bytes' | 'width' | 'height' | 'generationId' | 'createdAt' | 'sha256'
> &
  Row<'generations', 'tool' | 'input'> & {
    originalFilename: NonNullable<Column<'generatedMedia', 'originalFilename'>>;
    key: Column<'generatedMedia', 'storagePath'>;
    uploadedAt: Date | null;
    /** The uploaded photo's file name; null once it is gone. */
    photoName: string | null;
    cursor: string;
  };

/** Creation time of the uploads of a generation `g`, or of the one it redoes; null once one of them is deleted. */
export const UPLOADED_AT = sql`(select min(u.created_at) from uploads u
  where u.generation_id = coalesce(g.redo_of, g.id) having bool_and(u.deleted_at is null))`;

const COLUMNS = sql`m.id, m.media_type as "mediaType", m.content_type as "contentType", m.bytes, m.width, m.height,
    coalesce(m.original_filename, 'generated-media') as "originalFilename", m.generation_id as "generationId",
    m.created_at as "createdAt", m.storage_path as key, m.sha256, g.tool, g.input, ${UPLOADED_AT} as "uploadedAt",
    (select u.filename from uploads u where u.generation_id = coalesce(g.redo_of, g.id) and u.deleted_at is null
      order by u.field desc limit 1) as "photoName",
    m.created_at::text as cursor`;

/** Media older than this count as gone, even if not yet swept. */
export const expiryLimit = (library: Pick<Library, 'clock' | 'ttlSeconds'>) =>
  secondsAfter(library.clock.now(), -library.ttlSeconds);

/** False once an upload is deleted, or expired and not yet swept. */
export const hasUploads = (
  { uploadedAt }: Pick<MediaRow, 'uploadedAt'>,
  library: Pick<Library, 'clock' | 'ttlSeconds'>,
): boolean => uploadedAt !== null && uploadedAt > expiryLimit(library);

/** A live item of this user. @throws AppError not_found, also for expired items and another user's */
export async function getMedia(library: Library, userId: string, mediaId: string): Promise<MediaRow> {
  const found = await sql<MediaRow>`
    select ${COLUMNS} from generated_media m join media_sources g on g.id = m.generation_id
    where m.id = ${mediaId} and m.user_id = ${userId} and m.deleted_at is null and m.created_at > ${expiryLimit(library)}
  `.execute(library.db);
  return getRow(found);
}

/** The bytes of an upload or a result. @throws AppError not_found if they are gone */
export async function readContent({ storage }: Library, { key }: { key: string }): Promise<Buffer> {
  const content = await storage.readWhole(key);
  if (content === undefined) throw new AppError('not_found');
  return content;
}

export type PhotoRow = Row<'uploads', 'width' | 'height'> & { key: Column<'uploads', 'objectKey'> };

/** The main photo of a user's generation. @throws AppError not_found if it is gone */
export async function getPhoto(library: Library, userId: string, generationId: string): Promise<PhotoRow> {
  const found = await sql<PhotoRow & Row<'uploads', 'field'> & Row<'generations', 'tool'>>`
    select u.field, u.object_key as key, u.width, u.height, g.tool
    from uploads u join media_sources g on u.generation_id = coalesce(g.redo_of, g.id)
    where g.id = ${generationId} and u.user_id = ${userId} and u.deleted_at is null
      and u.created_at > ${expiryLimit(library)}`.execute(library.db);
  return getRow({ rows: found.rows.filter(({ field, tool }) => field === mainPictureField(tools[tool])) });
}

/**
 * Copies an earlier result to `folder`, as the file of an image field.
 * @throws AppError image_unreadable if there is none, unsupported_image_type if it is not a picture
 */
export async function openMediaAsFile(
  library: Library,
  folder: string,
  request: { userId: string; mediaId: string; name: string; field: ImageField },
): Promise<FormFile> {
  const { name, field } = request;
  const media = await getMedia(library, request.userId, request.mediaId).catch((error: unknown) => {
    throw error instanceof AppError ? fieldError(name, 'image_unreadable') : error;
  });
  if (!field.accept.some((type) => type === media.contentType))
    throw fieldError(name, 'unsupported_image_type', field.wrongType);
  const content = await library.storage.read(media.key);
  if (content === undefined) throw fieldError(name, 'image_unreadable');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, newToken());
  await writeFile(path, content, { mode: 0o600 });
  return {
    path,
    bytes: media.bytes,
    sha256: media.sha256,
    declaredType: media.contentType,
    filename: media.originalFilename,
  };
}

/** A result's file name for downloads: its photo's name and the kind of result. */
export function nameResult({ photoName, originalFilename, tool }: MediaRow): string {
  const { ending, type } = tools[tool].file;
  return photoName === null ? originalFilename : `${stemOf(photoName)}-${ending}.${type}`;
}

/** The history, newest first. */
export async function listMedia(library: Library, userId: string, page: PageRequest) {
  const found = await sql<MediaRow>`
    select ${COLUMNS} from generated_media m join media_sources g on g.id = m.generation_id
    where m.user_id = ${userId} and m.deleted_at is null and m.created_at > ${expiryLimit(library)}
      ${pageClause(page, 'm')}`.execute(library.db);
  return toPage(found.rows, page, (row) => toMedia(library, row));
}

/** An item as the API shows it. */
export function toMedia(library: Library, row: MediaRow): Media {
  const { key: _key, sha256: _sha256, cursor: _cursor, uploadedAt: _at, createdAt, input, photoName, ...media } = row;
  const isKept = hasUploads(row, library);
  return {
    ...media,
    input: isKept ? pickTexts(tools[row.tool], input) : null,
    photoName: isKept ? photoName : null,
    createdAt: createdAt.toISOString(),
    expiresAt: secondsAfter(createdAt, library.ttlSeconds).toISOString(),
    ...mediaUrls(row.id, row.contentType),
  };
}
