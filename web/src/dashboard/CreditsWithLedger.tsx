import { useInfiniteQuery } from '@tanstack/react-query';
import { CreditLedger } from '../credits/CreditLedger.tsx';
import { mediaListQuery } from '../media/media-queries.ts';
import { linkToHistory } from '../media/viewer-path.ts';
import { CreditsScreen } from '../payments/CreditsScreen.tsx';
import { itemsOf } from '../platform/pages.ts';
import { useApi } from '../platform/useApi.ts';

export function CreditsWithLedger() {
  const kept = useInfiniteQuery({ ...mediaListQuery(useApi()), select: itemsOf }).data;
  const linkTo = (generationId: string) => {
    const made = kept?.find((one) => one.generationId === generationId);
    return made === undefined ? null : linkToHistory(made.id);
  };
  return <CreditsScreen ledger={<CreditLedger linkTo={linkTo} />} />;
}
