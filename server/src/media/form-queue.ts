import { availableParallelism } from 'node:os';
import { MEBIBYTE } from '@plinth/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AdmissionQueue, makeAdmissionQueue } from '../platform/admission-queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { type Answered, type IdempotentRequest, sendOnce } from '../platform/http/idempotency.ts';
import { type FormOptions, hashForm, type PictureForm, withForm } from './form.ts';

/** Concurrent forms: more would only compete for CPU, threads and the database. */
const SLOTS = Math.max(4, 2 * availableParallelism());

// Chosen so that an accepted request is answered within 2 s under overload; large photos may wait longer.
const MAX_WAIT_MS = 800;
const MAX_WAIT_MS_PER_MEBIBYTE = 300;

/** The queue of all requests that upload pictures. */
export const makeFormQueue = (): AdmissionQueue => makeAdmissionQueue({ slots: SLOTS, size: Infinity });

export type FormQueueOptions = FormOptions & {
  db: Db;
  clock: Clock;
  formQueue: AdmissionQueue;
  /** Returns the sessions and API keys among these that have ended. */
  listEnded: (accessIds: string[]) => Promise<string[]>;
};

/**
 * Works once on a form with pictures, when its turn has come, and sends the answer.
 * @throws AppError as `withForm` and `sendOnce`; temporarily_unavailable under overload; invalid_key
 */
export function sendFormOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  options: FormQueueOptions,
  work: (form: PictureForm, idempotent: IdempotentRequest) => Promise<Answered>,
): Promise<FastifyReply> {
  return withForm(request, options, (form) => {
    const size = [...form.files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const maxWaitMs = MAX_WAIT_MS + MAX_WAIT_MS_PER_MEBIBYTE * (size / MEBIBYTE);
    return options.formQueue.run({ size, maxWaitMs }, async () => {
      await refuseEnded(request, options);
      return sendOnce(request, reply, options, (idempotent) => work(form, idempotent), hashForm(form));
    });
  });
}

// A form may take minutes, in which the key may have been deleted, for example because it leaked.
async function refuseEnded(request: FastifyRequest, { listEnded }: FormQueueOptions): Promise<void> {
  const ended = await listEnded([requireUser(request).accessId]);
  if (ended.length > 0) throw new AppError(request.caller.kind === 'key' ? 'invalid_key' : 'authentication_required');
}
