import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Marks } from '@plinth/contract/marks';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedImage } from '../drafts.ts';
import { MarkButton } from './MarkButton.tsx';
import { needsAnswer, assess, toMark, type Assessment } from '../subject.ts';

const SENTENCES: Partial<Record<Assessment, ReactNode>> = {
  doubtful: (
    <>
      <b>Is this it?</b> We would cut out what is outlined.
    </>
  ),
  nothing: (
    <>
      <b>Which thing is your product?</b> We cannot tell in this photo. Show it to us, or take another photo.
    </>
  ),
  agreed: 'Cut out as outlined.',
  shown: 'Cut out as you showed.',
  'nothing left': (
    <>
      <b>Nothing is left of your product.</b> Show it once more.
    </>
  ),
};

type SubjectQuestionProps = { picked: PickedImage; isLocked: boolean; onMarks: (marks: Marks) => void };

export function SubjectQuestion({ picked, isLocked, onMarks }: SubjectQuestionProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const assessment = assess(picked);
  const isAsking = needsAnswer(assessment);
  const box = picked.subject?.box;
  const agree = () => {
    flushSync(() => box && onMarks({ box }));
    place.current?.querySelector('button')?.focus();
  };
  return (
    <div ref={place} className={isAsking ? 'asking' : 'asking answered'}>
      <p className="small" role="status">
        {SENTENCES[assessment]}
      </p>
      <div className="cluster">
        {assessment === 'doubtful' && (
          <Button key="yes" icon={<Icon name="check" />} disabled={isLocked} onClick={agree}>
            Yes
          </Button>
        )}
        <MarkButton key="show" {...toMark(picked)} apply={{ label: 'Cut this out' }} onMarks={onMarks}>
          {(open) => (
            // The same element in both states: the editor returns the focus to it.
            <button
              type="button"
              className={isAsking ? buttonClass({}) : 'textlink'}
              disabled={isLocked}
              onClick={open}
            >
              {isAsking && <Icon name="box" />}
              Show us the product
            </button>
          )}
        </MarkButton>
      </div>
    </div>
  );
}

/** Outline of the cut-out, drawn over a photo that is contained in the same box. */
export function Outline({ picked }: { picked: PickedImage }) {
  const { width, height, subject, marks } = picked;
  const assessment = assess(picked);
  const [left, top, right, bottom] = marks?.box ?? subject?.box ?? [];
  if ((left === undefined && !subject?.outline) || assessment === 'nothing left') return null;
  // In shares of the photo, as both are given.
  const path = subject?.outline ? `M${subject.outline.join('L')}Z` : `M${left} ${top}H${right}V${bottom}H${left}Z`;
  return (
    <svg
      className={assessment === 'doubtful' ? 'cover outline asked' : 'cover outline'}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <g transform={`scale(${width} ${height})`}>
        {assessment === 'doubtful' && <path className="left-out" d={`M0 0H1V1H0Z${path}`} fillRule="evenodd" />}
        <path className="edge-halo" d={path} vectorEffect="non-scaling-stroke" />
        <path className="edge-line" d={path} vectorEffect="non-scaling-stroke" />
      </g>
    </svg>
  );
}
