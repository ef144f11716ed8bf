import type { Generation } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tools';
import { useCredits } from '../credits/useCredits.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { canceledSentence } from './generation-toasts.ts';

type EndedCardProps = {
  tool: Tool;
  generation: Generation;
  /** The form is no longer filled: a reload empties it. */
  isFormGone: boolean;
  onAgain: () => void;
};

/** A generation that gave no result: what came back and how to go on. */
export function EndedCard({ tool, generation, isFormGone, onAgain }: EndedCardProps) {
  const credits = useCredits();
  const isOnline = useOnline();
  const isCanceled = generation.status === 'canceled';
  return (
    <div className="busy">
      <h2 className="t2">{isCanceled ? canceledSentence(generation) : tool.says.nothing}</h2>
      {!isCanceled && generation.refunded && (
        <p className="note ok justify-center">
          <Icon name="returned" />
          <span>
            <b>{plural(generation.cost, 'credit')} returned.</b>
            {credits !== undefined && ` You have ${formatCount(credits)} again.`}
          </span>
        </p>
      )}
      <p className="small">{isFormGone ? 'Fill in the form once more to try again.' : stillHere(tool)}</p>
      {!isFormGone && (
        <Button
          wide
          disabled={!isOnline}
          icon={<Icon name="again" />}
          cost={plural(tool.cost, 'credit')}
          onClick={onAgain}
        >
          Try again
        </Button>
      )}
    </div>
  );
}

function stillHere(tool: Tool): string {
  const kinds = Object.values(tool.fields).map(({ kind }) => kind);
  const photos = kinds.filter((kind) => kind === 'image').length > 1 ? 'Your photos' : 'Your photo';
  if (kinds.includes('text')) return `${photos} and your description are still here.`;
  return photos === 'Your photo' ? 'Your photo is still here.' : 'Your photos are still here.';
}
