import type { ReactNode } from 'react';
import { PlainFrame } from './PlainFrame.tsx';
import './text-page.css';

export type TextSection = { id: string; title: string; text: ReactNode };

type TextPageProps = {
  title: string;
  lead: string;
  /** When it was last changed, where that matters. */ updated?: string;
  sections: readonly TextSection[];
};

export function TextPage({ title, lead, updated, sections }: TextPageProps) {
  return (
    <PlainFrame>
      <main className="page-width textpage" id="main" tabIndex={-1}>
        <div className="textpage-head">
          <h1 className="display-small">{title}</h1>
          {updated !== undefined && <p className="caption way-on">Last updated {updated}</p>}
          <p className="lead-text">{lead}</p>
        </div>
        <Contents sections={sections} />
        <div className="textpage-text underlined-links">
          {sections.map(({ id, title: name, text }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 className="title-large" id={`${id}-title`}>
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

function Contents({ sections }: Pick<TextPageProps, 'sections'>) {
  return (
    <nav className="textpage-contents links" aria-label="Contents">
      <p className="caption" aria-hidden="true">
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
