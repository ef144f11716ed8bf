import { useState, type CSSProperties, type ReactNode } from 'react';

type CompareProps = {
  /** The two layers, with the class names `layer before` and `layer after`. */
  before: ReactNode;
  after: ReactNode;
  labels: readonly [string, string];
  ratio?: number;
  /** In percent from the left; a value other than 50 must be in the style sheet as well. */
  start?: number;
  round?: number;
  reveal?: boolean;
};

export function Compare({ before, after, labels, ratio, start = 50, round = 0, reveal = false }: CompareProps) {
  const [at, setAt] = useState(start);
  const [seenRound, setSeenRound] = useState(round);
  if (seenRound !== round) {
    setSeenRound(round);
    setAt(start);
  }
  // The style sheet sets the start: prerendered pages may not have inline styles (content security policy).
  const style = {
    ...(at !== start && { '--seam-at': `${at}%` }),
    ...(ratio !== undefined && { '--ratio': ratio }),
  } as CSSProperties;
  return (
    <div className={reveal ? 'compare reveal' : 'compare'} style={style} onDoubleClick={() => setAt(50)}>
      {before}
      {after}
      <span className="compare-seam" />
      <span className="on-picture caption">{labels[0]}</span>
      <span className="on-picture caption">{labels[1]}</span>
      <input
        type="range"
        className="laid-over"
        min={0}
        max={100}
        value={at}
        aria-label="Compare before and after"
        aria-valuetext={`${at}% of your photo shown`}
        onChange={(event) => setAt(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
