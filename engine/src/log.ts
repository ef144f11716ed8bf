import { systemClock } from './clock.ts';

/** Writes one line of JSON to stderr; stdout belongs to the readiness line. Never log pictures, prompts or keys. */
export function log(event: string, fields: Record<string, unknown> = {}): void {
  process.stderr.write(`${JSON.stringify({ at: new Date(systemClock()).toISOString(), event, ...fields })}\n`);
}

export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
