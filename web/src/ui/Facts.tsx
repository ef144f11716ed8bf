import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** A fact without a value is left out. */
export function Facts({ facts, id, className = '' }: { facts: readonly Fact[]; id?: string; className?: string }) {
  const shown = facts.filter(([, value]) => Boolean(value));
  return (
    <dl id={id} className={`facts-list ${className}`}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
