import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newId } from '../secrets.ts';
import type { Place, UploadAnswer } from '../work/files.ts';
import { findOrigin, getBody, getHeader, NOT_FOUND, saveBody, sendAnswer, type Answer } from './http.ts';
import { readLifetimeMs } from './lifetime.ts';
import { askForKey } from './permission.ts';
import type { Wire } from './wire.ts';

/** fal's file host, the half that takes files: an address for one file, then a PUT of its bytes. */

const MAX_WHOLE_BYTES = 94_371_840; // the client's own border between one PUT and parts (@fal-ai/client 1.10.1)
export const MAX_WORDS_BYTES = 16 * 1024;

export type PlacePath = { Params: Place };

export async function addUploadRoutes(http: FastifyInstance, wire: Wire): Promise<void> {
  const options = { bodyLimit: MAX_WORDS_BYTES, onRequest: askForKey(wire) };
  http.post('/rest/storage/upload/initiate', options, async (request, reply) =>
    sendAnswer(reply, await initiateUpload(wire, request, false)),
  );
  await http.register(async (scope) => {
    leaveBodies(scope);
    scope.put<PlacePath>('/uploads/:id/:token', async (request, reply) => {
      const receive = async (draft: string) => {
        await saveBody(request, draft, MAX_WHOLE_BYTES);
        return describeUpload(await wire.files.finishUpload(request.params, draft));
      };
      return sendAnswer(reply, await withDraft(wire, receive));
    });
  });
}

/** Lets handlers read bodies as streams of bytes. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * An address to send to, and the address of the file afterwards. The token in the first is the permission to use it.
 */
export async function initiateUpload(wire: Wire, request: FastifyRequest, isInParts: boolean): Promise<Answer> {
  const body = getBody(request) as { content_type?: unknown; file_name?: unknown } | null;
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

export function describeUpload(answer: UploadAnswer): Answer {
  switch (answer) {
    case 'stored':
      return { status: 200, body: {} };
    case 'used':
      return { status: 403, body: { detail: 'This upload address has been used or is for the other kind of upload.' } };
    case 'unknown':
      return NOT_FOUND;
  }
}

/** A file for what is arriving; it is gone afterwards, adopted or not. */
export async function withDraft(wire: Wire, work: (draft: string) => Promise<Answer>): Promise<Answer> {
  const draft = join(wire.tmpDir, `upload-${newId()}`);
  try {
    return await work(draft);
  } finally {
    await rm(draft, { force: true });
  }
}
