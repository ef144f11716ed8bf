// fal.run: the same jobs, but the caller waits for the result on this connection; who hangs up cancels.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../job-store.ts';
import { errorText, log } from '../log.ts';
import { findSkill, type Skill } from '../skills/skills.ts';
import { openEventStream } from './event-stream.ts';
import { findOrigin, type Answer } from './http.ts';
import { describeResult, hasEnded } from './queue-answers.ts';
import { submitRequest } from './submit.ts';
import { NOT_FOUND, type Wire } from './wire.ts';

const STREAM = '/stream';
const REFUSED_WITHIN_MS = 5000;

/** The app that a path below /run is about, and whether its answer is to be streamed. */
export function readRunPath(path: string): { id: string; skill: Skill; isStream: boolean } | undefined {
  const isStream = path.endsWith(STREAM);
  const id = isStream ? path.slice(0, -STREAM.length) : path;
  const skill = findSkill(id);
  return skill && { id, skill, isStream };
}

export async function runNow(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<Answer | undefined> {
  const app = readRunPath(path);
  if (!app || request.method !== 'POST') return NOT_FOUND;
  const job = await submitRequest(wire, request, app);
  const hungUp = () =>
    void wire.jobs.cancel(job.id).catch((error: unknown) => log('fault', { error: errorText(error) }));
  response.once('close', hungUp);
  const ended = waitForEnd(wire, job).finally(() => response.off('close', hungUp));
  if (app.isStream) return streamRun(request, response, job, ended);
  await ended;
  return response.destroyed ? undefined : describeResult(job, findOrigin(request));
}

/** Settles when the job has ended, however it has. */
export async function waitForEnd(wire: Wire, job: Job): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!hasEnded(job)) return;
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
  request: IncomingMessage,
  response: ServerResponse,
  job: Job,
  ended: Promise<void>,
): Promise<Answer | undefined> {
  await Promise.race([ended, sleep(REFUSED_WITHIN_MS, undefined, { ref: false })]);
  if (response.destroyed) return undefined;
  if (job.outcome && job.outcome.status !== 200) return describeResult(job, findOrigin(request));
  const stream = openEventStream(response, job.id);
  await ended;
  const { status, body } = describeResult(job, findOrigin(request));
  if (status === 200) {
    stream.tell(body);
    stream.end();
  } else stream.breakOff(body);
  return undefined;
}
