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

type GivenProps = { word: SiteWord; children: ReactNode };

export function Given({ word, children }: GivenProps) {
  if (!isWritten) return siteDefaults[word] === null ? null : children;
  return (
    <>
      {`{{if ${word}}}`}
      {children}
      {'{{end}}'}
    </>
  );
}

export function NotGiven({ word, children }: GivenProps) {
  if (!isWritten) return siteDefaults[word] === null ? children : null;
  return (
    <>
      {`{{unless ${word}}}`}
      {children}
      {'{{end}}'}
    </>
  );
}
