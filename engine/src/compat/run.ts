import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorText, log } from '../log.ts';
import { findSkill, type Skill } from '../skills/skills.ts';
import type { Job } from '../work/job-store.ts';
import { findOrigin, NOT_FOUND, sendAnswer } from '../wire/http.ts';
import { describeResult } from '../wire/queue-answers.ts';
import { MAX_SUBMIT_BYTES, submitRequest } from '../wire/submit.ts';
import type { Wire } from '../wire/wire.ts';
import { openEventStream } from './event-stream.ts';

/** fal.run: the same jobs, but the caller waits for the result on this connection; who hangs up cancels. */

const STREAM = '/stream';
const REFUSED_WITHIN_MS = 5000;

export function addRunRoutes(http: FastifyInstance, wire: Wire): void {
  http.post<{ Params: { '*': string } }>('/run/*', { bodyLimit: MAX_SUBMIT_BYTES }, async (request, reply) => {
    const app = readRunPath(request.params['*']);
    return app ? runNow(wire, request, reply, app) : sendAnswer(reply, NOT_FOUND);
  });
}

type RunPath = { id: string; skill: Skill; isStream: boolean };

/** The app that a path below /run is about, and whether its answer is to be streamed. */
function readRunPath(path: string): RunPath | undefined {
  const isStream = path.endsWith(STREAM);
  const id = isStream ? path.slice(0, -STREAM.length) : path;
  const skill = findSkill(id);
  return skill && { id, skill, isStream };
}

async function runNow(wire: Wire, request: FastifyRequest, reply: FastifyReply, app: RunPath): Promise<FastifyReply> {
  const job = await submitRequest(wire, request, app);
  const hungUp = () => cancelQuietly(wire, job.id);
  if (reply.raw.destroyed) hungUp(); // while the job was being written down
  reply.raw.once('close', hungUp);
  const ended = waitForEnd(wire, job).finally(() => reply.raw.off('close', hungUp));
  if (app.isStream) return streamRun(request, reply, job, ended);
  await ended;
  return sendAnswer(reply, describeResult(job, findOrigin(request)));
}

/** For whoever has gone: a failure is told nobody but the log. */
export function cancelQuietly(wire: Wire, id: string): void {
  void wire.jobs.cancel(id).catch((error: unknown) => log('fault', { error: errorText(error) }));
}

/** Settles when the job has ended, however it has. */
export async function waitForEnd(wire: Wire, job: Job): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!job.outcome) return;
      stop();
      resolve();
    };
    const stop = wire.jobs.onChange(job.id, look);
    look();
  });
}

/**
 * Server-sent events with one event, the result: no skill has partial results. A refusal usually comes soon and is
 * then a plain HTTP answer; after that a failure breaks the stream off, so that nobody takes its body for a result.
 */
async function streamRun(
  request: FastifyRequest,
  reply: FastifyReply,
  job: Job,
  ended: Promise<void>,
): Promise<FastifyReply> {
  await Promise.race([ended, sleep(REFUSED_WITHIN_MS, undefined, { ref: false })]);
  if (job.outcome && job.outcome.status !== 200) return sendAnswer(reply, describeResult(job, findOrigin(request)));
  const stream = openEventStream(reply, job.id);
  await ended;
  const { status, body } = describeResult(job, findOrigin(request));
  if (status === 200) {
    stream.tell(body);
    stream.end();
  } else stream.breakOff(body);
  return reply;
}
