import type { Verified } from '@plinth/contract/origin';
import { checkField } from '@plinth/contract/packs';
import { UnreadableFileError } from '@plinth/contract/signed-file';
import { verifyFile } from '@plinth/contract/verify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decode } from '../media/decoding.ts';
import { type FormOptions, withForm } from '../media/form.ts';
import { readSingleFile } from '../media/uploads.ts';
import type { Db } from '../platform/data/db.ts';
import { fieldError } from '../platform/errors.ts';
import { networkOf, type RequestLimits } from '../platform/http/limits.ts';
import { addRoute } from '../platform/http/route.ts';
import { listSigners } from './signers.ts';

type OriginOptions = FormOptions & { db: Db; limits: RequestLimits };

/** A provider's clip may have any of these brands; it is stored and signed as it is. */
const CLIP_TYPES = ['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'];

/** Reports whether a file was made here. Stores nothing. */
export function addOriginRoutes(http: FastifyInstance, options: OriginOptions): void {
  const { db, limits } = options;
  addRoute(http, 'get /signers', async () => ({ items: await listSigners(db) }));
  const countCheck = (request: FastifyRequest) => limits.count('check', networkOf(request));
  addRoute(http, 'post /verify', { guards: [countCheck] }, (request) =>
    withForm(request, options, async (form): Promise<Verified> => {
      const field = form.files.has('video') ? 'video' : 'image';
      const content = await readSingleFile(form, field, field === 'video' ? { accept: CLIP_TYPES } : checkField);
      const signers = await listSigners(db);
      return decode('preview', content.byteLength, () => verifyFile(content, signers)).catch((error: unknown) => {
        throw error instanceof UnreadableFileError ? fieldError(field, 'image_unreadable') : error;
      });
    }),
  );
}
