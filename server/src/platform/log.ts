import pino from 'pino';

export type Log = pino.Logger;

/** The log of the process: JSON lines on standard error. Standard output belongs to the person who starts the product. */
export function createLog(level: string, lines: pino.DestinationStream = pino.destination(2)): Log {
  return pino({ level, base: null, serializers: { err: describeError } }, lines);
}

/** What an error says of itself, and nothing that hangs on it: drivers attach whole connections. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String((error as { message?: unknown } | null)?.message ?? error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
