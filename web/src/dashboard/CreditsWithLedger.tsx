import { CreditLedger } from '../credits/CreditLedger.tsx';
import { useMediaList } from '../media/media-queries.ts';
import { linkToHistory } from '../media/viewer-path.ts';
import { CreditsScreen } from '../payments/CreditsScreen.tsx';

export function CreditsWithLedger() {
  const kept = useMediaList().data;
  const linkTo = (generationId: string) => {
    const made = kept?.find((one) => one.generationId === generationId);
    return made === undefined ? null : linkToHistory(made.id);
  };
  return <CreditsScreen ledger={<CreditLedger linkTo={linkTo} />} />;
}
