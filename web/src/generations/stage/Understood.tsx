import type { Generation } from '@plinth/contract/generations';
import type { TextField } from '@plinth/contract/tool';

type UnderstoodProps = { field: TextField; result: NonNullable<Generation['result']> };

/** What was made of the words and what was not. Other words are given in the form. */
export function Understood({ field, result: { understood, notDrawn = [] } }: UnderstoodProps) {
  if (understood === undefined) return null;
  return (
    <p className="small understood">
      {understood.length === 0 ? <b>{field.unknown}.</b> : <span>Made: {understood.join(', ')}.</span>}{' '}
      {notDrawn.length > 0 && <span className="not-drawn">Not drawn: {notDrawn.join(', ')}.</span>}
    </p>
  );
}
