import { isSessionOver, toApiError } from '../../platform/api.ts';
import { say } from './toast.tsx';

/** Says why something could not be done; where credits are missing, with the way to them. */
export function sayRefused(cause: unknown, toastId: string): void {
  const error = toApiError(cause);
  if (isSessionOver(error)) return;
  const isPoor = error.code === 'insufficient_credits';
  say.wrong(error.message, {
    id: toastId,
    ...(isPoor && { action: { label: 'Get credits', to: '/dashboard/credits' } }),
  });
}
