import { Fragment, useId, type ReactNode } from 'react';
import { Icon } from '../../ui/icons.tsx';

type ReasonGroupsProps<Item> = {
  title: string;
  right?: ReactNode;
  line?: ReactNode;
  items: readonly Item[];
  /** How many they are, as in "3 photos". */
  sayCount: (count: number) => string;
  say: (item: Item) => string;
  thumb: (item: Item) => ReactNode;
  /** What can be done with all of a group. */
  forAll?: (items: readonly Item[]) => ReactNode;
  acts: (item: Item) => ReactNode;
};

/** What went wrong for the same reason is told once, the largest group first, and its rows are at hand. */
export function ReasonGroups<Item extends Named>({ title, right, line, ...props }: ReasonGroupsProps<Item>) {
  const id = useId();
  const groups = [...Map.groupBy(props.items, props.say)].sort(([, a], [, b]) => b.length - a.length);
  return (
    <section className="run-failed stack" aria-labelledby={id}>
      <div className="cluster">
        <h2 className="title-small figures grows" id={id}>
          {title}
        </h2>
        {right}
      </div>
      {line}
      {groups.map(([reason, items]) => (
        <Group key={reason} {...props} reason={reason} items={items} />
      ))}
    </section>
  );
}

const SHOWN_AT_ONCE = 4;
const THUMBS = 5;

type GroupProps<Item> = Omit<ReasonGroupsProps<Item>, 'title' | 'right' | 'line' | 'say'> & { reason: string };

function Group<Item extends Named>({ reason, items, sayCount, thumb, forAll, acts }: GroupProps<Item>) {
  return (
    <details className="surface failed-group" open={items.length <= SHOWN_AT_ONCE || undefined}>
      <summary>
        <span className="cluster">
          {items.slice(0, THUMBS).map((item) => (
            <Fragment key={item.id}>{thumb(item)}</Fragment>
          ))}
        </span>
        <span className="named">
          <b className="figures">{sayCount(items.length)}</b>
          <span className="small is-wrong">{reason}</span>
        </span>
        <Icon name="down" />
      </summary>
      {forAll?.(items)}
      <ul className="divided ruled">
        {items.map((item) => (
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
  );
}

/** A picture of the server's, in a row or in what stands for many. */
export function SmallPicture({ src, isCutout = false }: { src: string; isCutout?: boolean }) {
  const className = isCutout ? 'thumb checker' : 'thumb';
  return <img className={className} src={src} alt="" width={44} height={44} loading="lazy" decoding="async" />;
}

type Named = { id: string; name?: string; filename?: string | null; sku: string | null };

/** What a person calls a photo: its own name, or its number. */
export const nameOf = ({ name, filename, sku }: Omit<Named, 'id'>) => name ?? filename ?? sku ?? 'Photo';
