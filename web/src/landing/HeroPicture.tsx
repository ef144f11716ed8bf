import { useState } from 'react';
import { Compare } from '../ui/Compare.tsx';
import { Picture } from '../ui/pages/Picture.tsx';

const files = import.meta.glob<string>('./pictures/{hero,picks}-*', { eager: true, query: '?url', import: 'default' });
const SIZES = '(width >= 1100px) 58.4vw, 100vw';
const URGENT = { urgency: 'high' as const };

/** The three pairs of the picker; first the pair whose two pictures match best at the seam. */
export const heroPairs = [
  {
    key: 'candle',
    name: 'Scented candle',
    alt: 'The same white candle on a stone block before a terracotta wall',
  },
  { key: 'mug', name: 'Stoneware mug', alt: 'The same red mug on a marble counter before a kitchen shelf' },
  { key: 'serum', name: 'Vitamin serum', alt: 'The same brown bottle on marble before a sand-coloured wall' },
] as const;
// Not read from the table of tools, which would have to be hydrated as well.
export const HOW_MADE = 'Made from a phone photo. Background customization, 1 credit.';
/** Seam position at first and after another pair is picked, in percent from the left. As in landing.css. */
const SEAM_START = 47;

/**
 * The same object before and after, aligned, with a seam between them, and the picker. CSS alone shows the pair of the
 * checked radio, so picking works before and without the script.
 */
export function HeroPicture() {
  const [round, setRound] = useState(0);
  // The other pairs are fetched once the user reaches for them.
  const [isWanted, setIsWanted] = useState(false);
  return (
    <>
      <div className={round === 0 ? 'pairs' : 'pairs swapped'}>
        {heroPairs.map((pair, index) => (
          <Pair key={pair.key} pair={pair} isFirst={index === 0} isWanted={isWanted} round={round} />
        ))}
      </div>
      <div className="hero-foot spread">
        <div aria-live="polite">
          {heroPairs.map(({ key, name }) => (
            <p key={key} className="caption pair-name">
              <b>{name}</b>
              <br />
              {HOW_MADE}
            </p>
          ))}
        </div>
        <Picks onReach={() => setIsWanted(true)} onPick={() => setRound(round + 1)} />
      </div>
    </>
  );
}

type PairProps = { pair: (typeof heroPairs)[number]; isFirst: boolean; isWanted: boolean; round: number };

function Pair({ pair: { key, alt }, isFirst, isWanted, round }: PairProps) {
  const layer = (side: 'before' | 'after') => (
    <Picture
      files={files}
      name={`hero-${key}-${side}`}
      width={1200}
      height={1200}
      sizes={SIZES}
      {...(isFirst && URGENT)}
      loading={isWanted ? 'eager' : 'lazy'}
      className={`layer ${side}`}
      alt={side === 'before' ? '' : alt}
    />
  );
  return (
    <div className="hero-pair">
      <Compare
        before={layer('before')}
        after={layer('after')}
        labels={['Before', 'After']}
        start={SEAM_START}
        round={round}
      />
    </div>
  );
}

function Picks({ onReach, onPick }: { onReach: () => void; onPick: () => void }) {
  return (
    <div className="in-line" role="radiogroup" aria-label="Sample pictures" onPointerEnter={onReach} onFocus={onReach}>
      {heroPairs.map(({ key, name }, index) => (
        <label key={key} className="hero-pick holder">
          <input
            type="radio"
            className="laid-over"
            name="pair"
            value={key}
            defaultChecked={index === 0}
            onChange={onPick}
          />
          <Picture files={files} name="picks" width={192} height={64} sizes="192px" alt={name} urgency="low" />
        </label>
      ))}
    </div>
  );
}
