import { hostname } from 'node:os';
import pino from 'pino';
import { findTraceId } from './trace.ts';

export type Log = pino.Logger;

/** The part of the product that logs: a role of the server, or an operator's command. */
type LogRole = 'all' | 'web' | 'worker' | 'admin';

/** The process's log: JSON lines on stderr. Stdout is for the person who starts the product. */
export function createLog(
  level: string,
  role: LogRole = 'all',
  lines: pino.DestinationStream = pino.destination(2),
): Log {
  return pino(
    {
      level,
      base: { role, host: hostname() },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ trace: findTraceId() }),
      serializers: { err: describeError },
    },
    lines,
  );
}

/** An error's own fields only: drivers attach whole connections. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String((error as { message?: unknown } | null)?.message ?? error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
