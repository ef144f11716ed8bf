import { type ReactNode, type Ref, useId } from 'react';

type PanelProps = {
  title: string;
  titleRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
};

export function Panel({ title, titleRef, children }: PanelProps) {
  const id = useId();
  return (
    <section className="paper account-panel" aria-labelledby={id}>
      <h2 className="title-small" id={id} ref={titleRef} tabIndex={titleRef === undefined ? undefined : -1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
