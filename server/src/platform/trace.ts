import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** W3C Trace Context (https://www.w3.org/TR/trace-context/), available to all code that runs for a request. */

/** The content of the header `traceparent`: 32 and 16 hexadecimal digits, and two of flags. */
export type Trace = { id: string; span: string; flags: string };

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const storage = new AsyncLocalStorage<Trace>();

/** Continues the trace of a valid `traceparent` with a new span, else starts one. */
export function continueTrace(traceparent: unknown): Trace {
  const [, id = '', parent = '', flags = ''] =
    typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent) ?? []) : [];
  const isValid = /[^0]/.test(id) && /[^0]/.test(parent);
  const span = newTraceId().slice(-16);
  return isValid ? { id, span, flags } : { id: newTraceId(), span, flags: '01' };
}

/** 32 hexadecimal digits. Not secret, and needed per request, so a UUID is used: Node caches its random bytes. */
const newTraceId = (): string => randomUUID().replaceAll('-', '');

/** Runs `work`, and all that it starts, within the trace. */
export function withinTrace<Result>(trace: Trace, work: () => Result): Result {
  return storage.run(trace, work);
}

/** The id of the current trace. */
export function findTraceId(): string | undefined {
  return storage.getStore()?.id;
}

/** The header for outgoing requests. */
export function findTraceparent(): string | undefined {
  const trace = storage.getStore();
  return trace && `00-${trace.id}-${trace.span}-${trace.flags}`;
}
