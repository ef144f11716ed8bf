import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useUser } from '../platform/useUser.ts';
import { Facts } from '../ui/Facts.tsx';
import { ScreenHead, useTitle } from '../ui/ScreenHead.tsx';
import './account.css';
import { DataPart } from './DataPart.tsx';
import { KeysSection } from './KeysSection.tsx';
import { Panel } from './Panel.tsx';
import { type AccountPart, accountParts, isAccountPart, linkToAccount } from './parts.ts';
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
  // The window's title names the part, so it is set after the header's.
  useTitle(accountParts[part]);
  return (
    <>
      <ScreenHead title="Your account" line={email} />
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

const WAYS = { password: 'Email and password', google: 'Google' } as const;

function ProfilePart() {
  const { email, displayName, providers } = useUser();
  return (
    <Panel title="Profile">
      <Facts
        facts={[
          ['Name', `${displayName}, the first part of your email`],
          ['Email', email],
          ['Sign-in methods', providers.map((way) => WAYS[way]).join(', ')],
          ['Language of this site', 'English'],
          [
            'Language of your words',
            'As you write: the built-in engine reads English, German, Spanish, French, Portuguese, Italian, Chinese, Japanese and Arabic.',
          ],
        ]}
      />
    </Panel>
  );
}
