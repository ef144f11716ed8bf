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
    <div className="flex min-h-dvh flex-col px-(--gutter) pt-4">
      <Logo />
      <main className="grid grow justify-items-center gap-2 pt-[14vh] text-center" id="main">
        <h1 className="t1">There is nothing on this plinth.</h1>
        <p className="lead">The page has moved or never was.</p>
        <a className={`${buttonClass({ look: 'primary' })} mt-4`} href={isSignedIn ? '/dashboard' : '/'}>
          {isSignedIn ? 'To your tools' : 'Go to the start'}
        </a>
        <div className="mt-auto w-70 pt-10">
          <EmptyPlinth />
        </div>
      </main>
    </div>
  );
}
