import { useEffect, useRef, useState } from 'react';
import { useCredits } from './useCredits.ts';

export function CreditBalance() {
  const credits = useCredits();
  return (
    <span className={`balance ${tone(credits)}`}>
      Credits: <RollingNumber value={credits} />
    </span>
  );
}

export function CreditNumber() {
  const credits = useCredits();
  return <span className={`balance ${tone(credits)}`}>{credits ?? ''}</span>;
}

/** Announces a new balance, at most once a second. One instance per page, however often the number is shown. */
export function BalanceAnnouncer() {
  const credits = useCredits();
  const [spoken, setSpoken] = useState<number>();
  const isFirst = useRef(true);
  useEffect(() => {
    if (credits === undefined) return undefined;
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = setTimeout(() => setSpoken(credits), 1000);
    return () => clearTimeout(timer);
  }, [credits]);
  return (
    <span className="sr-only" role="status">
      {spoken === undefined ? '' : `Credits: ${spoken}`}
    </span>
  );
}

function RollingNumber({ value }: { value: number | undefined }) {
  const [turn, setTurn] = useState<{ now: number | undefined; before: number | undefined }>({
    now: value,
    before: undefined,
  });
  if (turn.now !== value) setTurn({ now: value, before: turn.now });
  const { now, before } = turn;
  if (now === undefined || before === undefined) return <span className="figures">{now ?? '…'}</span>;
  return (
    <span key={now} className={now < before ? 'figures rolling' : 'figures rolling rolls-down'}>
      <span aria-hidden="true" className="rolling-old">
        {before}
      </span>
      <span>{now}</span>
    </span>
  );
}

function tone(credits: number | undefined): string {
  return credits === 1 ? 'is-soon' : '';
}
