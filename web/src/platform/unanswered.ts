import type { ApiError } from './api.ts';

/**
 * Whether the server may have accepted although no answer says so: only what it refused is surely not there, and needs
 * its key no more.
 */
export function isUnanswered({ code, status }: ApiError): boolean {
  return status < 400 || status >= 500 || status === 408 || code === 'idempotency_in_progress';
}
