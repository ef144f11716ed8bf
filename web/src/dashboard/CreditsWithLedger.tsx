import { CreditLedger } from '../credits/CreditLedger.tsx';
import { CreditsScreen } from '../payments/CreditsScreen.tsx';

/** Buying credits, and below it where they went. */
export function CreditsWithLedger() {
  return <CreditsScreen ledger={<CreditLedger />} />;
}
