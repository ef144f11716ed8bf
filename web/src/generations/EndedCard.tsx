import { useEffect, useRef, type ReactNode } from 'react';
import type { Generation } from '@plinth/contract/generations';
import type { Marks } from '@plinth/contract/marks';
import type { Tool } from '@plinth/contract/tool';
import { useCredits } from '../credits/useCredits.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { canceledSentence } from './generation-toasts.ts';
import { ShowProduct } from './ShowProduct.tsx';
import { takesMarks, useServedTool } from './useTools.ts';

type EndedCardProps = {
  tool: Tool;
  generation: Generation;
  /** The photo in the form; null when the form is no longer filled: a reload empties it. */
  photo: Blob | null;
  onAgain: () => void;
  onOtherPhoto: () => void;
  onMarks: (marks: Marks) => void;
  onShow: (generationId: string) => void;
};

/** A generation that has no result, or has it no more: what came back and how to go on. */
export function EndedCard(props: EndedCardProps) {
  const { tool, generation, photo, onShow } = props;
  const { redoOf } = generation;
  if (redoOf !== null && !generation.returned) {
    return (
      <Card title={titleOf(tool, generation)} text="It was free. What you had before is still there.">
        <Button wide onClick={() => onShow(redoOf)}>
          Back to it
        </Button>
      </Card>
    );
  }
  return (
    <Card
      title={titleOf(tool, generation)}
      takesFocus={generation.returned}
      returned={generation.status !== 'canceled' && generation.refunded ? generation.cost : 0}
      text={photo === null ? 'Fill in the form once more to try again.' : stillHere(tool)}
    >
      {photo !== null && <WaysOn {...props} photo={photo} />}
    </Card>
  );
}

type CardProps = {
  title: string;
  returned?: number;
  text: string;
  /** Whether it takes over from what was pressed and is gone with the result. */
  takesFocus?: boolean;
  children: ReactNode;
};

function Card({ title, returned = 0, text, takesFocus = false, children }: CardProps) {
  const credits = useCredits();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (takesFocus && isLost) heading.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <div className="busy">
      <h2 ref={heading} className="t2" tabIndex={-1}>
        {title}
      </h2>
      {returned > 0 && (
        <p className="note ok centred">
          <Icon name="returned" />
          <span>
            <b>{plural(returned, 'credit')} returned.</b>
            {credits !== undefined && ` You have ${formatCount(credits)} again.`}
          </span>
        </p>
      )}
      <p className="small">{text}</p>
      {children}
    </div>
  );
}

/**
 * The same photo would be refused once more: another one is asked for, or the product in it is shown where that can be
 * done.
 */
function WaysOn({ tool, generation, photo, onAgain, onOtherPhoto, onMarks }: EndedCardProps & { photo: Blob }) {
  const isOnline = useOnline();
  const { entry } = useServedTool(generation.tool);
  const isRefused = generation.error?.code === 'provider_rejected';
  if (isRefused) {
    return (
      <>
        <Button look="primary" wide icon={<Icon name="picture" />} onClick={onOtherPhoto}>
          Choose another photo
        </Button>
        {takesMarks(entry) && <ShowProduct tool={tool} generation={generation} photo={photo} onMarks={onMarks} />}
      </>
    );
  }
  return (
    <Button
      wide
      disabled={!isOnline}
      icon={<Icon name="again" />}
      cost={plural(generation.cost || tool.cost, 'credit')}
      onClick={onAgain}
    >
      Try again
    </Button>
  );
}

function titleOf(tool: Tool, generation: Generation): string {
  if (generation.returned) return 'Result returned';
  return generation.status === 'canceled' ? canceledSentence(generation) : tool.says.nothing;
}

function stillHere(tool: Tool): string {
  const kinds = Object.values(tool.fields).map(({ kind }) => kind);
  const photos = kinds.filter((kind) => kind === 'image').length > 1 ? 'Your photos' : 'Your photo';
  if (kinds.includes('text')) return `${photos} and your description are still here.`;
  return photos === 'Your photo' ? 'Your photo is still here.' : 'Your photos are still here.';
}
