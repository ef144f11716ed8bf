import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '@plinth/contract/auth';
import { buttonClass } from './ui/Button.tsx';
import { EmptyPlinth } from './ui/EmptyPlinth.tsx';
import { Logo } from './ui/Logo.tsx';
import { useTitle } from './ui/ScreenHead.tsx';

export function NotFoundScreen() {
  useTitle('Not found');
  const isSignedIn = Boolean(useQueryClient().getQueryData<Session | null>(['session']));
  return (
    <div className="scene">
      <header>
        <Logo />
      </header>
      <main id="main">
        <h1 className="t1">There is nothing on this plinth.</h1>
        <p className="lead">The page has moved or never was.</p>
        <a className={`${buttonClass({ look: 'primary' })} mt-4`} href={isSignedIn ? '/dashboard' : '/'}>
          {isSignedIn ? 'To your tools' : 'Go to the start'}
        </a>
        <EmptyPlinth />
      </main>
    </div>
  );
}
