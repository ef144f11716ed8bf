import type { ReactNode } from 'react';
import { siteDefaults, type SiteWord } from '@plinth/contract/site';

/**
 * The operator's texts. A prerendered page holds a placeholder for each, which the server fills in at start
 * (`platform/http/pages.ts` there). In development the defaults are shown.
 */

const isWritten = import.meta.env.SSR;

export function site(word: SiteWord): string {
  return isWritten ? `{{${word}}}` : (siteDefaults[word] ?? '');
}

/** Renders its children if the operator has set this text, or if not. */
const where =
  (isWanted: boolean) =>
  ({ word, children }: { word: SiteWord; children: ReactNode }) => {
    if (!isWritten) return (siteDefaults[word] !== null) === isWanted ? children : null;
    return (
      <>
        {`{{${isWanted ? 'if' : 'unless'} ${word}}}`}
        {children}
        {'{{end}}'}
      </>
    );
  };

export const IfSet = where(true);
export const IfNotSet = where(false);
