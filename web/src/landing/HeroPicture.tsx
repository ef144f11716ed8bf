import { useState } from 'react';
import { Compare } from '../ui/Compare.tsx';
import { heroPairs, SEAM_START } from './hero-pairs.ts';
import { Picture } from './Picture.tsx';

const files = import.meta.glob<string>('./pictures/{hero,picks}-*', { eager: true, query: '?url', import: 'default' });
const SIZES = '(width >= 1100px) 58.4vw, 100vw';
const URGENT = { urgency: 'high' as const };

/**
 * The same object before and after, at the same place, with the seam through it, and the picker. Which pair is seen
 * follows from the checked radio by style alone, so that picking works before and without the script.
 */
export function HeroPicture() {
  const [round, setRound] = useState(0);
  // The other pairs are fetched when somebody reaches for them.
  const [isWanted, setIsWanted] = useState(false);
  return (
    <>
      <div className={round === 0 ? 'pairs' : 'pairs swapped'}>
        {heroPairs.map(({ key, alt }, index) => {
          const layer = { files, width: 1200, height: 1200, sizes: SIZES, ...(index === 0 && URGENT) };
          const loading = isWanted ? 'eager' : 'lazy';
          return (
            <div key={key} className="pair">
              <Compare
                before={
                  <Picture {...layer} loading={loading} name={`hero-${key}-before`} className="layer before" alt="" />
                }
                after={
                  <Picture {...layer} loading={loading} name={`hero-${key}-after`} className="layer after" alt={alt} />
                }
                labels={['Before', 'After']}
                start={SEAM_START}
                round={round}
              />
            </div>
          );
        })}
      </div>
      <div className="hero-foot">
        <div aria-live="polite">
          {heroPairs.map(({ key, name, line }) => (
            <p key={key} className="tag pair-name">
              <b>{name}</b>
              <br />
              {line}
            </p>
          ))}
        </div>
        <div
          className="picks"
          role="radiogroup"
          aria-label="Sample pictures"
          onPointerEnter={() => setIsWanted(true)}
          onFocus={() => setIsWanted(true)}
        >
          {heroPairs.map(({ key, name }, index) => (
            <label key={key} className="pick">
              <input
                type="radio"
                name="pair"
                value={key}
                defaultChecked={index === 0}
                onChange={() => setRound(round + 1)}
              />
              <Picture files={files} name="picks" width={192} height={64} sizes="192px" alt={name} urgency="low" />
            </label>
          ))}
        </div>
      </div>
    </>
  );
}
