import { useId, type ReactNode } from 'react';
import type { RunItem } from '@plinth/contract/runs';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';

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

type ReasonGroupProps = {
  reason: string;
  noun: string;
  thumbs: readonly ReactNode[];
  acts?: ReactNode;
  children: ReactNode;
};

const SHOWN_AT_ONCE = 4;
const THUMBS = 5;

/** What went wrong for the same reason: told once, and its rows are at hand. */
export function ReasonGroup({ reason, noun, thumbs, acts, children }: ReasonGroupProps) {
  return (
    <details className="surface failed-group" open={thumbs.length <= SHOWN_AT_ONCE || undefined}>
      <summary>
        <span className="cluster">{thumbs.slice(0, THUMBS)}</span>
        <span className="named">
          <b className="figures">{plural(thumbs.length, noun)}</b>
          <span className="small is-wrong">{reason}</span>
        </span>
        <Icon name="down" />
      </summary>
      {acts}
      <ul className="divided">{children}</ul>
    </details>
  );
}

/** The items by what is said of them, the largest group first. */
export function groupByReason<Item>(items: readonly Item[], say: (item: Item) => string): [string, Item[]][] {
  return Object.entries(Object.groupBy(items, say))
    .map(([reason, some = []]): [string, Item[]] => [reason, some])
    .sort(([, a], [, b]) => b.length - a.length);
}

type ItemRowProps = { thumb: ReactNode; name: string; sku: string | null; children?: ReactNode };

export function ItemRow({ thumb, name, sku, children }: ItemRowProps) {
  return (
    <li className="failed-row">
      {thumb}
      <div className="named">
        <b>{name}</b>
        {sku && <span className="caption">{sku}</span>}
      </div>
      {children && <div className="cluster failed-acts">{children}</div>}
    </li>
  );
}

/** What a person calls an item: the photo's own name, or its number. */
export const nameOf = ({ filename, sku }: Pick<RunItem, 'filename' | 'sku'>) => filename ?? sku ?? 'Photo';
