import type { ApiError } from './api.ts';

/**
 * True if the server may have accepted a request although no response arrived. Only a refused request surely had no
 * effect, so its key is no longer needed.
 */
export function isOutcomeUnknown({ code, status }: ApiError): boolean {
  return status < 400 || status >= 500 || status === 408 || code === 'idempotency_in_progress';
}
