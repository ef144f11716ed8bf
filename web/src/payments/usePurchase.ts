import { useEffect, useState } from 'react';
import { sentences } from '@plinth/contract/errors';
import { purchaseSchema, type PackageKey } from '@plinth/contract/payments';
import { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useAttemptKey } from '../platform/useAttemptKey.ts';

/** Starts a purchase and leaves for the checkout. After a network failure the same attempt is repeated, not doubled. */
export function usePurchase(onWrong: (sentence: string) => void) {
  const api = useApi();
  const [buying, setBuying] = useState<PackageKey | null>(null);
  const attempt = useAttemptKey();

  // The browser may bring this page back as it was when it left for the checkout.
  useEffect(() => {
    const handleReturn = (event: PageTransitionEvent) => event.persisted && setBuying(null);
    window.addEventListener('pageshow', handleReturn);
    return () => window.removeEventListener('pageshow', handleReturn);
  }, []);

  const buy = async (packageKey: PackageKey) => {
    if (buying !== null) return;
    setBuying(packageKey);
    try {
      const purchase = await api.send('/api/v1/purchases', purchaseSchema, {
        method: 'POST',
        body: { package: packageKey },
        idempotencyKey: attempt.keyOf(packageKey),
      });
      attempt.forget();
      window.location.assign(purchase.checkoutUrl);
    } catch (cause) {
      const isAnswer = cause instanceof ApiError && cause.code !== 'network';
      if (isAnswer) attempt.forget();
      setBuying(null);
      onWrong(isAnswer && cause.code !== 'unexpected' ? cause.message : sentences.purchaseFailed);
    }
  };
  return { buying, buy };
}
