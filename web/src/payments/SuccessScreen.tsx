import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import type { Purchase } from '@plinth/contract/payments';
import { useCredits } from '../credits/useCredits.ts';
import { useNow } from '../platform/clock.ts';
import { useApi } from '../platform/useApi.ts';
import { useIsLate } from '../ui/Delayed.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { EmptyPlinth } from '../ui/EmptyPlinth.tsx';
import { plural } from '../ui/format.ts';
import { Logo } from '../ui/pages/Logo.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';
import './payments.css';
import { newestPurchaseQuery } from './purchase-query.ts';

const LATE_MS = 30_000;
/** A purchase is news for this long: an old link thanks nobody a second time. */
const NEWS_MS = 3_600_000;

/**
 * Shown after the checkout; `waiting` is the screen whose photos wait for credits. The address proves nothing: the
 * state of the payment is read from the server.
 */
export function SuccessScreen({ waiting }: { waiting: { to: string; what: 'photo' | 'catalogue' } | null }) {
  const { data: newest, isError } = useQuery(newestPurchaseQuery(useApi()));
  const now = useNow(60_000);
  const isOld = !!newest && now - Date.parse(newest.completedAt ?? newest.createdAt) > NEWS_MS;
  const isOpen = newest?.status === 'pending' || newest?.status === 'review';
  const purchase = isOld && !isOpen ? null : newest;
  const isLate = useIsLate(newest?.status === 'pending', LATE_MS) || isOld;
  const view = purchase === undefined ? isError && UNREAD : describe(purchase, isLate, !!newest);
  useTitle(view ? view.title : 'Your payment');
  return (
    <div className="scene">
      <header>
        <Logo />
      </header>
      <main className="empty-state" id="main">
        {!view ? (
          <span className="spinner" role="status" aria-label="Loading" />
        ) : (
          <>
            <h1 className="title-large" tabIndex={-1} key={view.title} ref={focusOn}>
              {view.title}
            </h1>
            <p className="lead-text" role="status">
              {view.text}
            </p>
            {waiting !== null && (
              <Link className={`${buttonClass({ look: 'primary', large: true })} way-on`} to={waiting.to}>
                {waiting.what === 'photo' ? 'Back to your photo' : 'Back to your catalogue'}
              </Link>
            )}
            <Link
              className={`${buttonClass({ look: waiting === null ? 'primary' : 'borderless', large: true })} ${waiting === null ? 'way-on' : ''}`}
              to={view.to}
            >
              {view.button}
            </Link>
            <Balance purchase={purchase} />
          </>
        )}
        <EmptyPlinth ball={purchase?.status === 'paid'} />
      </main>
    </div>
  );
}

/** Memoized per title: a new function on each render would move the focus back every time. */
const focusOn = (heading: HTMLElement | null) => heading?.focus();

function Balance({ purchase }: { purchase: Purchase | null | undefined }) {
  const credits = useCredits();
  return (
    <div className="balance-after stack">
      {purchase?.status === 'pending' && <span className="spinner" aria-hidden="true" />}
      {purchase?.status === 'paid' && credits !== undefined && (
        <p className="control-text figures" role="status">
          Balance: {plural(credits, 'Credit')}
        </p>
      )}
      {purchase?.receipt && (
        <a className="underlined" href={purchase.receipt.url}>
          Your receipt
        </a>
      )}
    </div>
  );
}

const TO_DASHBOARD = { to: '/dashboard', button: 'Return to Dashboard' };
const TO_CREDITS = { to: '/dashboard/credits', button: 'Back to your credits' };

const UNREAD = {
  title: 'Your payment could not be looked up yet',
  text: 'If you have paid, you need not pay again: we keep asking, and your credits arrive by themselves.',
  ...TO_DASHBOARD,
};

function describe(purchase: Purchase | null, isLate: boolean, hasBought: boolean) {
  switch (purchase?.status) {
    case 'paid':
      return {
        title: 'Payment Successful!',
        text: 'Thank you for your purchase. Your credits have been added to your account.',
        ...TO_DASHBOARD,
      };
    case 'pending':
      return {
        title: 'Confirming your payment',
        text: isLate
          ? 'The payment company has not told us of a payment yet. If you have paid, you need not pay again: your credits arrive by themselves.'
          : 'This usually takes a few seconds. Your credits arrive by themselves.',
        ...TO_DASHBOARD,
      };
    case 'review':
      return {
        title: 'We are checking your payment',
        text: 'What was paid does not fit the order, so a person looks at it. You need not pay again.',
        ...TO_DASHBOARD,
      };
    case 'failed':
      return { title: sentences.paymentDeclined, text: 'No credits were bought.', ...TO_CREDITS };
    case undefined:
      return hasBought
        ? { title: 'No new payment', text: 'Nothing was bought on this account in the last hour.', ...TO_CREDITS }
        : { title: 'No payment yet', text: 'There is no purchase on this account.', ...TO_CREDITS };
    default:
      return { title: sentences.paymentCancelled, text: 'No credits were bought.', ...TO_CREDITS };
  }
}
