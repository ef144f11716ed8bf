// The parts of fal's file host that the client needs: initiate, PUT, and the public file addresses.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newId, type Files, type StoredFile } from '../files.ts';
import { refuseField } from '../problem.ts';
import { findOrigin, getHeader, readJson, saveBody, TooLong, type Answer } from './http.ts';

export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_INITIATE_BYTES = 16 * 1024;

/** `POST /rest/storage/upload/initiate`: an address to PUT to, once, and the address of the file afterwards. */
export async function initiateUpload(request: IncomingMessage, files: Files): Promise<Answer> {
  const body = (await readJson(request, MAX_INITIATE_BYTES)) as { content_type?: unknown; file_name?: unknown } | null;
  const name = typeof body?.file_name === 'string' ? body.file_name : 'upload';
  const contentType = typeof body?.content_type === 'string' ? body.content_type : 'application/octet-stream';
  const livesMs = readLifetimeMs(getHeader(request, 'x-fal-object-lifecycle'));
  const upload = await files.beginUpload(name, contentType, livesMs);
  const origin = findOrigin(request);
  return {
    status: 200,
    body: {
      upload_url: `${origin}/uploads/${upload.id}/${upload.token}`,
      file_url: `${origin}/files/${upload.id}/${upload.name}`,
    },
  };
}

export async function receiveUpload(
  request: IncomingMessage,
  files: Files,
  tmpDir: string,
  place: { id: string; token: string },
): Promise<Answer> {
  const draft = join(tmpDir, `upload-${newId()}`);
  try {
    await saveBody(request, draft, MAX_PICTURE_BYTES);
    const answer = await files.finishUpload(place.id, place.token, draft);
    if (answer === 'stored') return { status: 200, body: {} };
    if (answer === 'used') return { status: 403, body: { detail: 'This upload address has been used.' } };
    return { status: 404, body: { detail: 'Not found' } };
  } catch (error) {
    if (error instanceof TooLong) return tooLarge();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

export async function serveFile(request: IncomingMessage, response: ServerResponse, file: StoredFile): Promise<void> {
  response.writeHead(200, {
    'content-type': file.contentType,
    'content-length': file.sizeBytes,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=600',
  });
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(file.path), response);
}

/** Larger files would go up in parts; no skill takes a picture of that size. */
export function tooLarge(): Answer {
  return { ...refuseField('image_url', 'file_too_large', 'The file is larger than 20 MB.'), status: 413 };
}

/** `{"expiration_duration_seconds":N}`; absent or unreadable means our own time to live. */
export function readLifetimeMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  try {
    const seconds = (JSON.parse(header) as { expiration_duration_seconds?: unknown } | null)
      ?.expiration_duration_seconds;
    return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
