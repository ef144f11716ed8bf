import { Children, type ReactElement, type ReactNode } from 'react';
import { PlainFrame } from './PlainFrame.tsx';
import './text-page.css';

type TextPageProps = {
  title: string;
  lead: string;
  /** Date of the last change, where it matters. */
  updated?: string;
  children: ReactElement<TextPartProps>[];
};

export function TextPage({ title, lead, updated, children }: TextPageProps) {
  return (
    <PlainFrame>
      <main className="page-width textpage" id="main" tabIndex={-1}>
        <div className="textpage-head">
          <h1 className="display-small">{title}</h1>
          {updated !== undefined && <p className="caption way-on">Last updated {updated}</p>}
          <p className="lead-text">{lead}</p>
        </div>
        <nav className="textpage-contents links" aria-label="Contents">
          <p className="caption" aria-hidden="true">
            Contents
          </p>
          <ol>
            {Children.map(children, ({ props }) => (
              <li>
                <a href={`#${props.id}`}>{props.title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="textpage-text underlined-links">{children}</div>
      </main>
    </PlainFrame>
  );
}

type TextPartProps = { id: string; title: string; children: ReactNode };

/** A section of a text page, linked from its table of contents. */
export function TextPart({ id, title, children }: TextPartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 className="title-large" id={`${id}-title`}>
        {title}
      </h2>
      {children}
    </section>
  );
}
