import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { isErrorCode, sentences } from '@plinth/contract/errors';
import { type Package, type PackageKey, purchaseSchema } from '@plinth/contract/payments';
import { costRange } from '@plinth/contract/cost-range';
import { tools } from '@plinth/contract/tools';
import { useCredits } from '../credits/useCredits.ts';
import { isOutcomeUnknown, toApiError } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useAttemptKey } from '../platform/useAttemptKey.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatCount } from '../ui/format.ts';
import { useTitle } from '../ui/ScreenHead.tsx';
import { say } from '../ui/above/toast.tsx';
import { PackageCards } from './PackageCards.tsx';
import './payments.css';
import { readNewestPurchase } from './purchase-query.ts';

export function CreditsScreen({ ledger }: { ledger: ReactNode }) {
  useTitle('Credits');
  const isCanceled = useSearch({ strict: false, select: (search) => search.success === false });
  const [error, setError] = useState<string | null>(isCanceled ? sentences.paymentCancelled : null);
  const report = (sentence: string) => {
    setError(sentence);
    say.wrong(sentence, { id: 'purchase' });
  };
  useCanceledNotice(isCanceled, report);
  const { buying, buy } = usePurchase(report);
  const chosen = useSearch({ strict: false, select: (search) => search.package });
  // The package chosen before signing in, else the popular one.
  const isFirst = (one: Package) => (chosen === undefined ? one.popular : one.key === chosen);
  return (
    <>
      <h1 className="sr-only" tabIndex={-1}>
        Credits
      </h1>
      <BalanceHead />
      {error !== null && (
        <div className="buy-error">
          <ErrorBox>{error}</ErrorBox>
        </div>
      )}
      <h2 className="sr-only">Packages</h2>
      <PackageCards
        isFirst={isFirst}
        action={(one) => (
          <Button
            fullWidth
            look={isFirst(one) ? 'primary' : 'quiet'}
            busy={buying === one.key && 'Processing...'}
            asksServer
            disabled={buying !== null}
            onClick={() => {
              setError(null);
              void buy(one.key);
            }}
          >
            {`Buy ${one.name}`}
          </Button>
        )}
      />
      <p className="small way-on">
        You pay on the page of our card payment provider. Purchased credits are non-refundable.
      </p>
      <h2 className="title-small ledger-title">Where your credits went</h2>
      {ledger}
    </>
  );
}

function BalanceHead() {
  const credits = useCredits();
  const [min, max] = costRange(tools['image-to-video']);
  return (
    <div className="balance-head cluster spread">
      <div>
        <p className="small">You have</p>
        <p className="amount figures">
          {credits === undefined ? '…' : formatCount(credits)}
          <span className="amount-unit">{'\u00a0'}Credits</span>
        </p>
      </div>
      <p className="small balance-rule">
        One credit is one image edit. A basic video costs {tools['basic-image-to-video'].cost}, a product video {min} to{' '}
        {max}. A generation that fails gives its credits back by itself.
      </p>
    </div>
  );
}

/** Return from a cancelled or refused checkout: shown once and removed from the address. */
function useCanceledNotice(isCanceled: boolean, report: (sentence: string) => void): void {
  const api = useApi();
  const navigate = useNavigate();
  const notice = useEffectEvent(async () => {
    await navigate({ to: '/dashboard/credits', search: {}, replace: true });
    // The address does not show who cancelled it; the purchase does.
    const newest = await readNewestPurchase(api).catch(() => null);
    report(newest?.status === 'failed' ? sentences.paymentDeclined : sentences.paymentCancelled);
  });
  useEffect(() => {
    if (isCanceled) void notice();
  }, [isCanceled]);
}

/** Starts a purchase and leaves for the checkout. After a network failure the same attempt is repeated, not doubled. */
function usePurchase(onWrong: (sentence: string) => void) {
  const api = useApi();
  const [buying, setBuying] = useState<PackageKey | null>(null);
  const attempt = useAttemptKey();

  // The browser may restore this page from its back/forward cache.
  useWindowEvent('pageshow', ({ persisted }) => persisted && setBuying(null));

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
      const error = toApiError(cause);
      if (!isOutcomeUnknown(error)) attempt.forget();
      setBuying(null);
      onWrong(isErrorCode(error.code) ? error.message : sentences.purchaseFailed);
    }
  };
  return { buying, buy };
}
