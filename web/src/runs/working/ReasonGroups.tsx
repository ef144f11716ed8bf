import { Fragment, useId, type ReactNode } from 'react';
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

type ReasonGroupsProps<Item> = {
  items: readonly Item[];
  noun: string;
  say: (item: Item) => string;
  thumb: (item: Item) => ReactNode;
  /** What can be done with all of a group. */
  forAll?: (items: readonly Item[]) => ReactNode;
  acts: (item: Item) => ReactNode;
};

const SHOWN_AT_ONCE = 4;
const THUMBS = 5;

/** What went wrong for the same reason is told once, the largest group first, and its rows are at hand. */
export function ReasonGroups<Item extends Named & { id: string }>(props: ReasonGroupsProps<Item>) {
  const { items, noun, say, thumb, forAll, acts } = props;
  return Object.entries(Object.groupBy(items, say))
    .map(([reason, some = []]): [string, Item[]] => [reason, some])
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, some]) => (
      <details key={reason} className="surface failed-group" open={some.length <= SHOWN_AT_ONCE || undefined}>
        <summary>
          <span className="cluster">
            {some.slice(0, THUMBS).map((item) => (
              <Fragment key={item.id}>{thumb(item)}</Fragment>
            ))}
          </span>
          <span className="named">
            <b className="figures">{plural(some.length, noun)}</b>
            <span className="small is-wrong">{reason}</span>
          </span>
          <Icon name="down" />
        </summary>
        {forAll?.(some)}
        <ul className="divided">
          {some.map((item) => (
            <li key={item.id} className="failed-row">
              {thumb(item)}
              <div className="named">
                <b>{nameOf(item)}</b>
                {item.sku && <span className="caption">{item.sku}</span>}
              </div>
              <div className="cluster failed-acts">{acts(item)}</div>
            </li>
          ))}
        </ul>
      </details>
    ));
}

/** A picture of the server's, in a row or in what stands for many. */
export function SmallPicture({ src, isCutout = false }: { src: string; isCutout?: boolean }) {
  const className = isCutout ? 'thumb checker' : 'thumb';
  return <img className={className} src={src} alt="" width={44} height={44} loading="lazy" decoding="async" />;
}

type Named = { name?: string; filename?: string | null; sku: string | null };

/** What a person calls a photo: its own name, or its number. */
export const nameOf = ({ name, filename, sku }: Named) => name ?? filename ?? sku ?? 'Photo';
