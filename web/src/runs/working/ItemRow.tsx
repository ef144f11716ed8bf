import { useId, type ReactNode } from 'react';

type RunSectionProps = { title: string; right?: ReactNode; children: ReactNode };

export function RunSection({ title, right, children }: RunSectionProps) {
  const id = useId();
  return (
    <section className="run-failed stack" aria-labelledby={id}>
      <div className="cluster">
        <h2 className="title-small figures grows" id={id}>
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
  wrong?: readonly string[];
  children?: ReactNode;
};

export function ItemRow({ thumb, name, sku, wrong = [], children }: ItemRowProps) {
  return (
    <li className="failed-row">
      {thumb}
      <div className="named">
        <b>{name}</b>
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
