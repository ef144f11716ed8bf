import type { ReactNode } from 'react';

export type Fact = readonly [name: string, said: ReactNode];

type FactsProps = { facts: readonly Fact[]; id?: string; className?: string };

/** A fact without a value is left out. */
export function Facts({ facts, id, className = '' }: FactsProps) {
  const shown = facts.filter(([, said]) => Boolean(said));
  return (
    <dl id={id} className={`facts-list ${className}`}>
      {shown.map(([name, said]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}
