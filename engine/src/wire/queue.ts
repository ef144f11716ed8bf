import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../problem.ts';
import { findSkill } from '../skills/skills.ts';
import type { Job } from '../work/job-store.ts';
import { findOrigin, NOT_FOUND, readQuery, sendAnswer, type Answer } from './http.ts';
import { describeResult, describeStatus, describeSubmitted } from './queue-answers.ts';
import { MAX_SUBMIT_BYTES, submitRequest } from './submit.ts';
import type { Wire } from './wire.ts';

/** queue.fal.run: submit, then status, result and cancel below `/<owner>/<app>/requests/<id>`. */

export const REQUEST_PATH = '/queue/:owner/:app/requests/:id';

export type RequestPath = { Params: { owner: string; app: string; id: string } };

export function addQueueRoutes(http: FastifyInstance, wire: Wire): void {
  http.post<{ Params: { '*': string } }>('/queue/*', { bodyLimit: MAX_SUBMIT_BYTES }, async (request, reply) =>
    sendAnswer(reply, await submitToQueue(wire, request, request.params['*'])),
  );
  http.get<RequestPath>(REQUEST_PATH, async (request, reply) => {
    const job = findJob(wire, request);
    return sendAnswer(reply, job ? describeResult(job, findOrigin(request)) : NOT_FOUND);
  });
  http.get<RequestPath>(`${REQUEST_PATH}/status`, async (request, reply) => {
    const job = findJob(wire, request);
    return sendAnswer(reply, job ? readStatus(wire, request, job) : NOT_FOUND);
  });
  http.put<RequestPath>(`${REQUEST_PATH}/cancel`, async (request, reply) =>
    sendAnswer(reply, await cancel(wire, findJob(wire, request)?.id ?? '')),
  );
}

/** Polled without the sub-path that it was submitted to: `fal-ai/bria` for `fal-ai/bria/background/remove`. */
export function findJob(wire: Wire, { params }: FastifyRequest<RequestPath>): Job | undefined {
  const job = wire.jobs.find(params.id);
  return `${job?.app}/`.startsWith(`${params.owner}/${params.app}/`) ? job : undefined;
}

export function readStatus(wire: Wire, request: FastifyRequest, job: Job): Answer {
  const withLogs = ['1', 'true'].includes(readQuery(request).get('logs') ?? '');
  return describeStatus(job, wire.jobs.queuePosition(job), findOrigin(request), withLogs);
}

async function submitToQueue(wire: Wire, request: FastifyRequest, app: string): Promise<Answer> {
  const skill = findSkill(app);
  if (!skill) return NOT_FOUND;
  const webhookUrl = readQuery(request).get('fal_webhook') ?? undefined;
  const fault = webhookUrl === undefined ? undefined : wire.findTargetFault(webhookUrl);
  if (fault !== undefined) return refuse([{ loc: ['query', 'fal_webhook'], msg: fault, type: 'value_error' }]);
  const job = await submitRequest(wire, request, { id: app, skill }, webhookUrl);
  return describeSubmitted(job, wire.jobs.queuePosition(job), findOrigin(request));
}

async function cancel(wire: Wire, id: string): Promise<Answer> {
  const answer = await wire.jobs.cancel(id);
  if (answer === 'requested') return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
  if (answer === 'completed') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  return { status: 404, body: { status: 'NOT_FOUND' } };
}
