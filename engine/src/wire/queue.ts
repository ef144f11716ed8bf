// queue.fal.run: submit, then status, status stream, result and cancel below `/<owner>/<app>/requests/<id>`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Job } from '../job-store.ts';
import { refuse } from '../problem.ts';
import { findSkill } from '../skills/skills.ts';
import { openEventStream } from './event-stream.ts';
import { findOrigin, type Answer } from './http.ts';
import { describeResult, describeStatus, describeSubmitted, hasEnded } from './queue-answers.ts';
import { findWebhookProblem, submitRequest } from './submit.ts';
import { NOT_FOUND, type Wire } from './wire.ts';

export async function answerQueue(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  path: string[],
  query: URLSearchParams,
): Promise<Answer | undefined> {
  const [owner, app, requests, id, ...action] = path;
  if (requests !== 'requests' || !id) return submitToQueue(wire, request, path.join('/'), query);
  const job = wire.jobs.find(id);
  const isTheirs = `${job?.app}/`.startsWith(`${owner}/${app}/`); // polled without the sub-path it was submitted to
  const call = `${request.method} ${action.join('/')}`;
  if (call === 'PUT cancel') return cancel(wire, isTheirs ? id : '');
  if (!job || !isTheirs) return NOT_FOUND;
  const withLogs = query.get('logs') === '1' || query.get('logs') === 'true';
  const describe = () => describeStatus(job, wire.jobs.queuePosition(job), findOrigin(request), withLogs);
  if (call === 'GET status') return describe();
  if (call === 'GET ') return describeResult(job, findOrigin(request));
  if (call !== 'GET status/stream') return NOT_FOUND;
  streamStatus(wire, response, job, () => describe().body);
  return undefined;
}

async function submitToQueue(
  wire: Wire,
  request: IncomingMessage,
  app: string,
  query: URLSearchParams,
): Promise<Answer> {
  const skill = findSkill(app);
  if (request.method !== 'POST' || !skill) return NOT_FOUND;
  const webhookUrl = query.get('fal_webhook') ?? undefined;
  const problem = webhookUrl === undefined ? undefined : findWebhookProblem(wire, webhookUrl);
  if (problem) return refuse([problem]);
  const job = await submitRequest(wire, request, { id: app, skill }, webhookUrl);
  return describeSubmitted(job, wire.jobs.queuePosition(job), findOrigin(request));
}

/** One line of JSON per change of the job, closed after COMPLETED. */
function streamStatus(wire: Wire, response: ServerResponse, job: Job, read: () => unknown): void {
  const stream = openEventStream(response, job.id);
  const tell = () => {
    stream.tell(read());
    if (!hasEnded(job)) return;
    unsubscribe();
    stream.end();
  };
  const unsubscribe = wire.jobs.onChange(job.id, tell);
  response.once('close', unsubscribe);
  tell();
}

async function cancel(wire: Wire, id: string): Promise<Answer> {
  const answer = await wire.jobs.cancel(id);
  if (answer === 'requested') return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
  if (answer === 'completed') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  return { status: 404, body: { status: 'NOT_FOUND' } };
}
