import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pageSchema } from '@plinth/contract/paging';
import { purchaseSchema } from '@plinth/contract/payments';
import { useCredits } from '../credits/useCredits.ts';
import { useApi } from '../platform/useApi.ts';
import { buttonClass } from '../ui/button-class.ts';
import { EmptyPlinth } from '../ui/EmptyPlinth.tsx';
import { plural } from '../ui/format.ts';
import { Logo } from '../ui/Logo.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';
import './payments.css';

const POLL_MS = 3000;
const firstPurchase = pageSchema(purchaseSchema);

/** After the checkout. The address proves nothing: whether it was paid is read from the server. */
export function SuccessScreen() {
  useTitle('Payment Successful');
  const credits = useCredits();
  const isPending = useIsPurchasePending();
  return (
    <div className="scene">
      <header>
        <Logo />
      </header>
      <main id="main">
        <h1 className="t1" tabIndex={-1} ref={(heading) => heading?.focus()}>
          Payment Successful!
        </h1>
        <p className="lead">Thank you for your purchase. Your credits have been added to your account.</p>
        <Link className={`${buttonClass({ look: 'primary', big: true })} mt-4`} to="/dashboard">
          Return to Dashboard
        </Link>
        <div className="mt-4 grid min-h-12 justify-items-center gap-2" role="status">
          {isPending && (
            <p className="note">
              <span className="spin" aria-hidden="true" />
              Waiting for the payment company. This takes a few seconds.
            </p>
          )}
          {!isPending && credits !== undefined && <p className="ui num">Balance: {plural(credits, 'Credit')}</p>}
        </div>
        <EmptyPlinth ball />
      </main>
    </div>
  );
}

function useIsPurchasePending(): boolean {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['purchases', 'newest'],
    queryFn: () => api.send('/api/v1/purchases?limit=1', firstPurchase),
    refetchInterval: (query) => (query.state.data?.items[0]?.status === 'pending' ? POLL_MS : false),
    refetchOnMount: 'always',
  });
  return data?.items[0]?.status === 'pending';
}
