import type { ReactNode } from 'react';
import { AccountLink } from '../ui/AccountLink.tsx';
import { Logo } from '../ui/Logo.tsx';
import { site } from '../ui/site.tsx';
import './legal.css';

/** What stands around a public page of text or figures: the way in above it, the ways on below. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="legal-top">
        <div className="page legal-top-in">
          <Logo />
          <AccountLink />
        </div>
      </header>
      {children}
      <footer className="legal-foot">
        <div className="page legal-foot-in">
          <Logo />
          <nav aria-label="Legal">
            <a href="/privacy">Privacy Policy</a>
            <a href="/terms">Terms of Service</a>
            <a href="/status">Status</a>
            <a href={`mailto:${site('contactEmail')}`}>Contact</a>
          </nav>
        </div>
      </footer>
    </>
  );
}
