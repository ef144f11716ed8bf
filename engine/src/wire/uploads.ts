// fal's file host, the half that takes files: initiate, PUT whole or in parts, complete.
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Place, UploadAnswer } from '../files.ts';
import type { Part } from '../parts.ts';
import { refuseField } from '../problem.ts';
import { newId } from '../secrets.ts';
import { findOrigin, getHeader, readJson, saveBody, type Answer } from './http.ts';
import { readLifetimeMs } from './lifetime.ts';
import { NOT_FOUND, type Wire } from './wire.ts';

// The client's own border between one PUT and parts, and the size of its parts (@fal-ai/client 1.10.1).
const MAX_WHOLE_BYTES = 94_371_840;
const MAX_PART_BYTES = 10_485_760;
const MAX_PARTS = 50;
const MAX_WORDS_BYTES = 16 * 1024;

/** `POST /rest/storage/upload/initiate[-multipart]`: an address to send to, and the address of the file afterwards. */
export async function initiateUpload(wire: Wire, request: IncomingMessage, isInParts: boolean): Promise<Answer> {
  const body = (await readJson(request, MAX_WORDS_BYTES)) as { content_type?: unknown; file_name?: unknown } | null;
  const name = typeof body?.file_name === 'string' ? body.file_name : 'upload';
  const contentType = typeof body?.content_type === 'string' ? body.content_type : 'application/octet-stream';
  const livesMs = readLifetimeMs(getHeader(request, 'x-fal-object-lifecycle'));
  const upload = await wire.files.beginUpload(name, contentType, { livesMs, ...(isInParts && { isInParts }) });
  const origin = findOrigin(request);
  return {
    status: 200,
    body: {
      upload_url: `${origin}/uploads/${upload.id}/${upload.token}`,
      file_url: `${origin}/files/${upload.id}/${upload.name}`,
    },
  };
}

/** Everything below `/uploads/<id>/<token>`; the token in the address is the permission, as on fal's host. */
export async function answerUpload(wire: Wire, request: IncomingMessage, path: string[]): Promise<Answer> {
  const [id, token, step, ...rest] = path;
  if (!id || !token || rest.length > 0) return NOT_FOUND;
  const place = { id, token };
  if (request.method === 'POST' && step === 'complete') return completeUpload(wire, request, place);
  if (request.method !== 'PUT') return NOT_FOUND;
  return step === undefined ? receiveWhole(wire, request, place) : receivePart(wire, request, place, step);
}

async function receiveWhole(wire: Wire, request: IncomingMessage, place: Place): Promise<Answer> {
  return withDraft(wire, async (draft) => {
    await saveBody(request, draft, MAX_WHOLE_BYTES);
    return describe(await wire.files.finishUpload(place, draft));
  });
}

async function receivePart(wire: Wire, request: IncomingMessage, place: Place, step: string): Promise<Answer> {
  const partNumber = /^[1-9]\d{0,3}$/.test(step) ? Number(step) : 0;
  if (partNumber < 1 || partNumber > MAX_PARTS) {
    return badRequest(`Part numbers go from 1 to ${MAX_PARTS}; larger files are not taken.`);
  }
  return withDraft(wire, async (draft) => {
    await saveBody(request, draft, MAX_PART_BYTES);
    const kept = await wire.files.addPart(place, partNumber, draft);
    // The client reads the tag from a JSON body, not from a header.
    return typeof kept === 'string' ? describe(kept) : { status: 200, body: { partNumber, etag: kept.etag } };
  });
}

async function completeUpload(wire: Wire, request: IncomingMessage, place: Place): Promise<Answer> {
  const parts = readParts(await readJson(request, MAX_WORDS_BYTES));
  if (!parts) return badRequest('The body must be {"parts":[{"partNumber","etag"}, …]}.');
  return withDraft(wire, async (draft) => describe(await wire.files.completeUpload(place, parts, draft)));
}

function readParts(body: unknown): Part[] | undefined {
  const parts = (body as { parts?: unknown } | null)?.parts;
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS) return undefined;
  const isPart = (part: unknown): part is Part => {
    const { partNumber, etag } = (part ?? {}) as Partial<Part>;
    return typeof partNumber === 'number' && typeof etag === 'string';
  };
  return parts.every(isPart) ? parts : undefined;
}

function describe(answer: UploadAnswer | 'mismatch'): Answer {
  switch (answer) {
    case 'stored':
      return { status: 200, body: {} };
    case 'used':
      return { status: 403, body: { detail: 'This upload address has been used or is for the other kind of upload.' } };
    case 'mismatch':
      return badRequest('The list of parts is not what was received, in order.');
    case 'unknown':
      return NOT_FOUND;
  }
}

function badRequest(detail: string): Answer {
  return { status: 400, body: { detail, error_type: 'bad_request' } };
}

async function withDraft(wire: Wire, work: (draft: string) => Promise<Answer>): Promise<Answer> {
  const draft = join(wire.tmpDir, `upload-${newId()}`);
  try {
    return await work(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

export function tooLarge(): Answer {
  return { ...refuseField('image_url', 'file_too_large', 'The file is too large.'), status: 413 };
}
