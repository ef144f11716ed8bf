import type { ReactNode } from 'react';
import { Given, site } from '../ui/site.tsx';
import './legal.css';
import { PlainFrame } from './PlainFrame.tsx';

export type LegalSection = { id: string; title: string; text: ReactNode };

type LegalPageProps = { title: string; lead: string; sections: readonly LegalSection[] };

/**
 * A page of law in plain words: contents on the left, one column of text. Renders the same everywhere, also on paper.
 */
export function LegalPage({ title, lead, sections }: LegalPageProps) {
  return (
    <PlainFrame>
      <main className="page legal" id="main" tabIndex={-1}>
        <div className="legal-head">
          <h1 className="d2">{title}</h1>
          <p className="tag legal-date">Last updated July 15, 2025</p>
          <p className="lead">{lead}</p>
        </div>
        <Contents sections={sections} />
        <div className="legal-text">
          {sections.map(({ id, title: name, text }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 className="t1" id={`${id}-title`}>
                {name}
              </h2>
              {text}
            </section>
          ))}
        </div>
      </main>
    </PlainFrame>
  );
}

function Contents({ sections }: Pick<LegalPageProps, 'sections'>) {
  return (
    <nav className="legal-contents" aria-label="Contents">
      <p className="tag" aria-hidden="true">
        Contents
      </p>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The address people write to, as a link that also reads well on paper. */
export function ContactLink() {
  return (
    <a className="legal-mail" href={`mailto:${site('contactEmail')}`}>
      {site('contactEmail')}
    </a>
  );
}

/** Who runs the site, where the operator says so. */
export function Seller() {
  return (
    <>
      <Given word="sellerName">
        <p>
          This site is run by <b>{site('sellerName')}</b>.
        </p>
      </Given>
      <Given word="sellerAddress">
        <address>{site('sellerAddress')}</address>
      </Given>
    </>
  );
}
