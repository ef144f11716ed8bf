import { type ReactNode, type Ref, useId } from 'react';

type PanelProps = {
  title: string;
  /** To lead the focus to the title, where what had it is gone. */
  titleRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
};

/** One section of the account, named by its title. */
export function Panel({ title, titleRef, children }: PanelProps) {
  const id = useId();
  return (
    <section className="paper account-panel" aria-labelledby={id}>
      <h2 className="title-small focus-title" id={id} ref={titleRef} tabIndex={titleRef === undefined ? undefined : -1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Names with what is said of them, one below the other. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, said: ReactNode])[] }) {
  return (
    <dl className="account-facts">
      {facts.map(([name, said]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}
