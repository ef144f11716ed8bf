import type { FastifyRequest } from 'fastify';
import type { Job } from '../work/job-store.ts';
import type { Submission } from '../work/jobs.ts';
import { checkInput, type Fields, type Input } from '../skills/fields.ts';
import type { Skill } from '../skills/skills.ts';
import { getBody, getHeader } from './http.ts';
import { readLifetimeMs } from './lifetime.ts';
import { MAX_PICTURE_BYTES, takePictures } from './pictures.ts';
import type { Wire } from './wire.ts';

/** What every way of asking for a job has in common: the queue, a direct run, a realtime frame. */

// two pictures as base64, and words
export const MAX_SUBMIT_BYTES = Math.ceil((MAX_PICTURE_BYTES * 2 * 4) / 3) + 64 * 1024;

type SubmitOptions = Pick<Submission, 'isLowPriority' | 'startWithinMs' | 'outputLivesMs' | 'webhookUrl'>;

/** Reads one request for a job. What is wrong with the input becomes the job's result, as on fal. */
export async function submitRequest(
  wire: Wire,
  request: FastifyRequest,
  app: { id: string; skill: Skill },
  webhookUrl?: string,
): Promise<Job> {
  const startWithinSeconds = Number(getHeader(request, 'x-fal-request-timeout'));
  const outputLivesMs = readLifetimeMs(getHeader(request, 'x-fal-object-lifecycle-preference'));
  return submitInput(wire, app, getBody(request), request.headers.host ?? '', {
    isLowPriority: getHeader(request, 'x-fal-queue-priority') === 'low',
    ...(startWithinSeconds > 0 && { startWithinMs: startWithinSeconds * 1000 }),
    ...(outputLivesMs !== undefined && { outputLivesMs }),
    ...(webhookUrl !== undefined && { webhookUrl }),
  });
}

/** `host` is under what name the caller reached us: addresses of our own files that they send back have it. */
export async function submitInput(
  wire: Wire,
  app: { id: string; skill: Skill },
  body: unknown,
  host: string,
  options: SubmitOptions,
): Promise<Job> {
  const { fields } = app.skill;
  const input = pickFields(fields, body);
  const taken = await takePictures(fields, input, wire.files, host);
  const problems = [...checkInput(fields, input), ...taken.problems];
  return wire.jobs.submit({ app: app.id, ...taken, problems, ...options });
}

/** Unknown names are let through unread, as fal does: they are not even kept. */
function pickFields(fields: Fields, body: unknown): Input {
  const given = typeof body === 'object' && body !== null ? (body as Input) : {};
  const known = Object.keys(fields).filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map((name) => [name, given[name]]));
}
