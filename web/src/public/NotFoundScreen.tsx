import { buttonClass } from '../ui/button-class.ts';
import { EmptyPlinth } from '../ui/EmptyPlinth.tsx';
import { Logo } from '../ui/pages/Logo.tsx';

type NotFoundProps = { wayOut?: { href: string; label: string } };

export function NotFoundScreen({ wayOut = { href: '/', label: 'Go to the start' } }: NotFoundProps) {
  return (
    <div className="scene">
      <header>
        <Logo />
      </header>
      <main className="empty-state" id="main">
        <h1 className="title-large">There is nothing on this plinth.</h1>
        <p className="lead-text">The page has moved or never was.</p>
        <a className={`${buttonClass({ look: 'primary' })} way-on`} href={wayOut.href}>
          {wayOut.label}
        </a>
        <EmptyPlinth />
      </main>
    </div>
  );
}
