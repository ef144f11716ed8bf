import { useId, type ReactNode } from 'react';

type RunSectionProps = { title: string; right?: ReactNode; children: ReactNode };

/** A part of a catalogue below its pictures: what needs a person. */
export function RunSection({ title, right, children }: RunSectionProps) {
  const id = useId();
  return (
    <section className="run-failed" aria-labelledby={id}>
      <div className="section-head">
        <h2 className="title-small figures" id={id}>
          {title}
        </h2>
        {right}
      </div>
      {children}
    </section>
  );
}

type ItemRowProps = {
  thumb: ReactNode;
  name: string;
  sku: string | null;
  /** What is wrong, sentence by sentence. */
  wrong?: readonly string[];
  /** What can be done about it. */
  children?: ReactNode;
};

/** One photo or picture of a catalogue that needs a person. */
export function ItemRow({ thumb, name, sku, wrong = [], children }: ItemRowProps) {
  return (
    <li className="failed-row">
      {thumb}
      <div className="photo-name">
        <b className="control-text cut-off">{name}</b>
        {sku && <span className="caption">{sku}</span>}
        {wrong.map((sentence) => (
          <span key={sentence} className="small is-wrong">
            {sentence}
          </span>
        ))}
      </div>
      {children && <div className="cluster failed-acts">{children}</div>}
    </li>
  );
}
