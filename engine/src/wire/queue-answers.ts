import type { Job } from '../work/job-store.ts';
import type { Answer } from './http.ts';

/** The queue's answers, word for word as the client and fal's documentation have them. */

export function describeSubmitted(job: Job, queuePosition: number, origin: string): Answer {
  return {
    status: 200,
    headers: { 'x-fal-request-id': job.id },
    body: { status: 'IN_QUEUE', ...addresses(job, origin), queue_position: queuePosition },
  };
}

export function describeStatus(job: Job, queuePosition: number, origin: string, withLogs: boolean): Answer {
  const headers = { 'x-fal-request-id': job.id };
  const logs = withLogs ? job.logs : null;
  if (job.outcome) {
    const seconds = ((job.finishedAtMs ?? 0) - (job.startedAtMs ?? job.finishedAtMs ?? 0)) / 1000;
    const metrics = { inference_time: seconds };
    const body = { status: 'COMPLETED', ...addresses(job, origin), logs, metrics, ...describeFailure(job) };
    return { status: 200, headers, body };
  }
  if (job.startedAtMs === undefined) {
    const body = { status: 'IN_QUEUE', ...addresses(job, origin), queue_position: queuePosition };
    return { status: 202, headers, body };
  }
  return { status: 202, headers, body: { status: 'IN_PROGRESS', ...addresses(job, origin), logs } };
}

export function describeResult(job: Job, origin: string): Answer {
  const headers: Record<string, string> = { 'x-fal-request-id': job.id };
  if (!job.outcome) return { status: 400, headers, body: { detail: 'Request is still in progress' } };
  const { status, body } = job.outcome;
  const errorType = findErrorType(job);
  if (errorType) headers['x-fal-error-type'] = errorType;
  if (errorType === 'request_timeout') headers['x-fal-request-timeout-type'] = 'user'; // keeps the client from retrying
  return { status, headers, body: withOrigin(body, origin) };
}

/** What a webhook tells (fal's documentation of webhooks); its receiver reads the result itself before it acts. */
export function describeWebhook(job: Job, origin: string): unknown {
  const { status, body } = describeResult(job, origin);
  const ids = { request_id: job.id, gateway_request_id: job.id };
  if (status === 200) return { ...ids, status: 'OK', payload: body };
  return { ...ids, status: 'ERROR', error: `Invalid status code: ${status}`, payload: body };
}

function addresses(job: Job, origin: string) {
  const [owner, app] = job.app.split('/');
  const here = `${origin}/queue/${owner}/${app}/requests/${job.id}`;
  return { request_id: job.id, response_url: here, status_url: `${here}/status`, cancel_url: `${here}/cancel` };
}

/** The first sentence and the kind of what went wrong; nothing for a job that did not fail. */
export function describeFailure(job: Job): { error?: string; error_type?: string } {
  const errorType = findErrorType(job);
  if (!job.outcome || !errorType) return {};
  const { detail } = job.outcome.body as { detail?: unknown };
  const first = Array.isArray(detail) ? (detail as { msg?: unknown }[])[0]?.msg : detail;
  return { error: typeof first === 'string' ? first : 'The request failed.', error_type: errorType };
}

function findErrorType(job: Job): string | undefined {
  if (!job.outcome || job.outcome.status === 200) return undefined;
  const { detail, error_type } = job.outcome.body as { detail?: { type?: string }[]; error_type?: string };
  return error_type ?? (Array.isArray(detail) ? detail[0]?.type : undefined) ?? 'internal_error';
}

/** Stored results name files by path; the address is that of the engine the caller is speaking to now. */
function withOrigin(value: unknown, origin: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withOrigin(item, origin));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    const isOurFile = key === 'url' && typeof item === 'string' && item.startsWith('/files/');
    return [key, isOurFile ? `${origin}${item}` : withOrigin(item, origin)];
  });
  return Object.fromEntries(entries) as unknown;
}
