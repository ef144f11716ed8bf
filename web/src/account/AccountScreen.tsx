import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useUser } from '../platform/useUser.ts';
import { ScreenHead, useTitle } from '../ui/ScreenHead.tsx';
import './account.css';
import { DataPart } from './DataPart.tsx';
import { KeysSection } from './KeysSection.tsx';
import { type AccountPart, accountParts, isAccountPart, linkToAccount } from './parts.ts';
import { ProfilePart } from './ProfilePart.tsx';
import { PurchasesPart } from './PurchasesPart.tsx';
import { SecurityPart } from './SecurityPart.tsx';
import { WebhooksSection } from './WebhooksSection.tsx';

const shown: Record<AccountPart, ComponentType> = {
  profile: ProfilePart,
  security: SecurityPart,
  keys: KeysSection,
  webhooks: WebhooksSection,
  purchases: PurchasesPart,
  data: DataPart,
};
const names = Object.entries(accountParts) as [AccountPart, string][];

export function AccountScreen() {
  const named = useParams({ strict: false, select: (params) => params.part }) ?? '';
  const part = isAccountPart(named) ? named : 'profile';
  const Part = shown[part];
  const { email } = useUser();
  return (
    <>
      <ScreenHead title="Your account" line={email} />
      <PartTitle part={part} />
      <div className="account-area columns">
        <nav className="account-menu nav-list" aria-label="Settings">
          {names.map(([one, name]) => (
            <Link key={one} {...linkToAccount(one)} activeOptions={{ exact: true }}>
              {name}
            </Link>
          ))}
        </nav>
        <div className="stack">
          <Part />
        </div>
      </div>
    </>
  );
}

/** The window's title names the part; mounted after the head, so that its title stays. */
function PartTitle({ part }: { part: AccountPart }) {
  useTitle(accountParts[part]);
  return null;
}
