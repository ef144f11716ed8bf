import type { FastifyInstance } from 'fastify';
import { NOT_FOUND, sendAnswer } from '../wire/http.ts';
import { findJob, readStatus, REQUEST_PATH, type RequestPath } from '../wire/queue.ts';
import type { Wire } from '../wire/wire.ts';
import { openEventStream } from './event-stream.ts';

/** The status of a request as server-sent events: one for each change, closed after COMPLETED. */
export function addStatusStream(http: FastifyInstance, wire: Wire): void {
  http.get<RequestPath>(`${REQUEST_PATH}/status/stream`, (request, reply) => {
    const job = findJob(wire, request);
    if (!job) return sendAnswer(reply, NOT_FOUND);
    const stream = openEventStream(reply, job.id);
    const tell = () => {
      stream.tell(readStatus(wire, request, job).body);
      if (!job.outcome) return;
      unsubscribe();
      stream.end();
    };
    const unsubscribe = wire.jobs.onChange(job.id, tell);
    reply.raw.once('close', unsubscribe);
    tell();
    return reply;
  });
}
