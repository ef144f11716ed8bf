import { buttonClass } from '../ui/button-class.ts';
import { EmptyPlinth } from '../ui/EmptyPlinth.tsx';
import { Logo } from '../ui/pages/Logo.tsx';

export function NotFoundScreen() {
  const look = `${buttonClass({ look: 'primary' })} way-on`;
  return (
    <div className="scene">
      <header>
        <Logo />
      </header>
      <main className="empty-state" id="main">
        <h1 className="title-large">There is nothing on this plinth.</h1>
        <p className="lead-text">The page has moved or never was.</p>
        <a className={`${look} for-visitors`} href="/">
          Go to the start
        </a>
        <a className={`${look} for-users`} href="/dashboard">
          To your tools
        </a>
        <EmptyPlinth />
      </main>
    </div>
  );
}
