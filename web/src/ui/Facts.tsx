import type { ReactNode } from 'react';

export type Fact = readonly [name: string, said: ReactNode];

type FactsProps = { facts: readonly Fact[]; id?: string; className?: string };

export function Facts({ facts, id, className = '' }: FactsProps) {
  return (
    <dl id={id} className={`facts-list ${className}`}>
      {facts.map(([name, said]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}
