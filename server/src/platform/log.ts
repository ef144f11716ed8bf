import pino from 'pino';

export type Log = pino.Logger;

/** The log of the process: JSON lines on standard error. Standard output belongs to the person who starts the product. */
export function createLog(level: string): Log {
  return pino({ level, base: null, redact: ['req.headers', 'headers', 'email', 'password'] }, pino.destination(2));
}
