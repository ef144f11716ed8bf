import type { ReactNode } from 'react';
import { AccountLink } from './AccountLink.tsx';
import { Logo } from './Logo.tsx';
import { site } from './site.tsx';
import './text-page.css';

export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="public-top sticks">
        <div className="page-width spread">
          <Logo />
          <AccountLink />
        </div>
      </header>
      {children}
      <footer className="textpage-foot footing">
        <div className="page-width cluster spread">
          <Logo />
          <nav className="links cluster" aria-label="More">
            <a href="/privacy">Privacy Policy</a>
            <a href="/terms">Terms of Service</a>
            <a href="/developers">Developers</a>
            <a href="/status">Status</a>
            <a href="/verify">Verify</a>
            <a href={`mailto:${site('contactEmail')}`}>Contact</a>
          </nav>
        </div>
      </footer>
    </>
  );
}
