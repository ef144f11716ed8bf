import { isSessionOver, toApiError } from '../../platform/api.ts';
import { say } from './toast.tsx';

/** Announces why an action was refused; if credits are missing, with a link to buy them. */
export function sayRefused(cause: unknown, toastId: string): void {
  const error = toApiError(cause);
  if (isSessionOver(error)) return;
  const isPoor = error.code === 'insufficient_credits';
  say.wrong(error.message, {
    id: toastId,
    ...(isPoor && { action: { label: 'Get credits', to: '/dashboard/credits' } }),
  });
}
