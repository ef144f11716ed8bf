import { Fragment, useId, type ReactNode } from 'react';
import { Icon } from '../../ui/icons.tsx';

type ReasonGroupsProps<Item> = {
  title: string;
  right?: ReactNode;
  line?: ReactNode;
  items: readonly Item[];
  /** Their number, as in "3 photos". */
  sayCount: (count: number) => string;
  say: (item: Item) => string;
  thumb: (item: Item) => ReactNode;
  /** Actions for all items of a group. */
  groupActions?: (items: readonly Item[]) => ReactNode;
  actions: (item: Item) => ReactNode;
};

/** Groups failures by reason, the largest group first, each with its rows. */
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

function Group<Item extends Named>({ reason, items, sayCount, thumb, groupActions, actions }: GroupProps<Item>) {
  const isShort = items.length <= SHOWN_AT_ONCE;
  const forAll = groupActions?.(items);
  // Below a few rows, so that a second failure moves none of them.
  const forAllRow = forAll && <li className="failed-row">{forAll}</li>;
  return (
    <details className="surface failed-group" open={isShort || undefined}>
      <summary className="cluster">
        {!isShort && items.slice(0, THUMBS).map((item) => <Fragment key={item.id}>{thumb(item)}</Fragment>)}
        <span className="named">
          <b className="figures">{sayCount(items.length)}</b>
          <span className="small is-wrong">{reason}</span>
        </span>
        <Icon name="down" />
      </summary>
      <ul className="divided ruled">
        {!isShort && forAllRow}
        {items.map((item) => (
          <li key={item.id} className="failed-row">
            {thumb(item)}
            <div className="named">
              <b>{nameOf(item)}</b>
              {item.sku && <span className="caption">{item.sku}</span>}
            </div>
            <div className="cluster failed-acts">{actions(item)}</div>
          </li>
        ))}
        {isShort && forAllRow}
      </ul>
    </details>
  );
}

/** A picture from the server, in a row or for a group. */
export function SmallPicture({ src, isCutout = false }: { src: string; isCutout?: boolean }) {
  const className = isCutout ? 'thumb checker' : 'thumb';
  return <img className={className} src={src} alt="" width={44} height={44} loading="lazy" decoding="async" />;
}

type Named = { id: string; name?: string; filename?: string | null; sku: string | null };

/** Name of a photo for the user: its own name, or its number. */
export const nameOf = ({ name, filename, sku }: Omit<Named, 'id'>) => name ?? filename ?? sku ?? 'Photo';
