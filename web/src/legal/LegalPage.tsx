import type { ReactNode } from 'react';
import { buttonClass } from '../ui/Button.tsx';
import { CONTACT_EMAIL } from '../ui/contact.ts';
import { Logo } from '../ui/Logo.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';
import './legal.css';

export type LegalSection = { id: string; title: string; text: ReactNode };

type LegalPageProps = { title: string; lead: string; sections: readonly LegalSection[] };

/** A page of law in plain words: contents on the left, one column of text. Renders the same everywhere, also on paper. */
export function LegalPage({ title, lead, sections }: LegalPageProps) {
  useTitle(title);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="legal-top">
        <div className="page legal-top-in">
          <Logo />
          <a className={buttonClass({ look: 'quiet' })} href="/login">
            Login
          </a>
        </div>
      </header>
      <div className="page legal">
        <nav className="legal-contents" aria-label="Contents">
          <h2 className="tag">Contents</h2>
          <ol>
            {sections.map(({ id, title: name }) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ol>
        </nav>
        <main className="legal-text" id="main" tabIndex={-1}>
          <h1 className="d2">{title}</h1>
          <p className="tag legal-date">Last updated July 15, 2025</p>
          <p className="lead">{lead}</p>
          {sections.map(({ id, title: name, text }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 className="t1" id={`${id}-title`}>
                {name}
              </h2>
              {text}
            </section>
          ))}
        </main>
      </div>
      <footer className="legal-foot">
        <div className="page legal-foot-in">
          <Logo />
          <nav aria-label="Legal">
            <a href="/privacy">Privacy Policy</a>
            <a href="/terms">Terms of Service</a>
            <a href={`mailto:${CONTACT_EMAIL}`}>Contact</a>
          </nav>
        </div>
      </footer>
    </>
  );
}

/** The address people write to, as a link that also reads well on paper. */
export function ContactLink() {
  return (
    <a className="legal-mail" href={`mailto:${CONTACT_EMAIL}`}>
      {CONTACT_EMAIL}
    </a>
  );
}
