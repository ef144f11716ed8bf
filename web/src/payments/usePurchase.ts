import { useEffect, useRef, useState } from 'react';
import { sentences } from '@plinth/contract/errors';
import { purchaseSchema, type PackageKey } from '@plinth/contract/payments';
import { ApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';

/** Starts a purchase and leaves for the checkout. After a network failure the same attempt is repeated, not doubled. */
export function usePurchase(onWrong: (sentence: string) => void) {
  const api = useApi();
  const [buying, setBuying] = useState<PackageKey | null>(null);
  const attempt = useRef<{ packageKey: PackageKey; key: string } | null>(null);

  // The browser may bring this page back as it was when it left for the checkout.
  useEffect(() => {
    const handleReturn = (event: PageTransitionEvent) => event.persisted && setBuying(null);
    window.addEventListener('pageshow', handleReturn);
    return () => window.removeEventListener('pageshow', handleReturn);
  }, []);

  const buy = async (packageKey: PackageKey) => {
    if (buying !== null) return;
    setBuying(packageKey);
    if (attempt.current?.packageKey !== packageKey) attempt.current = { packageKey, key: crypto.randomUUID() };
    try {
      const purchase = await api.send('/api/v1/purchases', purchaseSchema, {
        method: 'POST',
        body: { package: packageKey },
        idempotencyKey: attempt.current.key,
      });
      attempt.current = null;
      window.location.assign(purchase.checkoutUrl);
    } catch (cause) {
      const isAnswer = cause instanceof ApiError && cause.code !== 'network';
      if (isAnswer) attempt.current = null;
      setBuying(null);
      onWrong(isAnswer && cause.code !== 'unexpected' ? cause.message : sentences.purchaseFailed);
    }
  };
  return { buying, buy };
}
