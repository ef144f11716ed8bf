import type { ReactNode } from 'react';
import { siteDefaults, type SiteWord } from '@plinth/contract/site';

/**
 * Words of the operator. A page that is written at build holds a mark for each, which the server fills in when it
 * starts (`platform/http/pages.ts` there); elsewhere, as while developing, the defaults stand.
 */

const isWritten = import.meta.env.SSR;

export function site(word: SiteWord): string {
  return isWritten ? `{{${word}}}` : (siteDefaults[word] ?? '');
}

/** Shows what stands in it where the operator gave this word, or where not. */
const where =
  (isGiven: boolean) =>
  ({ word, children }: { word: SiteWord; children: ReactNode }) => {
    if (!isWritten) return (siteDefaults[word] !== null) === isGiven ? children : null;
    return (
      <>
        {`{{${isGiven ? 'if' : 'unless'} ${word}}}`}
        {children}
        {'{{end}}'}
      </>
    );
  };

export const Given = where(true);
export const NotGiven = where(false);
