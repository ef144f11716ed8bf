import { useEffect, useRef, type ReactNode } from 'react';
import type { Generation } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import { findWords, pictureFields } from '@plinth/contract/tool-fields';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedImage } from '../check-image.ts';
import { priceOf } from '../drafts.ts';
import { AGAIN_SENTENCES } from '../again.ts';
import { canceledSentence } from '../running.ts';
import { toMark } from '../subject.ts';
import { useToolInUse } from '../useTool.ts';
import { isBuiltIn, useServedTool } from '../useTools.ts';
import { countVersions } from '../versions.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const MarkButton = lazyPart(async () => (await import('../form/MarkButton.tsx')).MarkButton);

type EndedCardProps = { generation: Generation; picked: PickedImage | undefined };

export function EndedCard({ generation, picked }: EndedCardProps) {
  const { tool, missing, work } = useToolInUse();
  const isFilled = missing.length === 0;
  const { redoOf } = generation;
  if (redoOf !== null && !generation.returned) {
    return (
      <Card title={titleOf(tool, generation)} text="It was free. What you had before is still there.">
        <Button fullWidth onClick={() => work.show(redoOf)}>
          Back to it
        </Button>
      </Card>
    );
  }
  return (
    <Card
      title={titleOf(tool, generation)}
      takesFocus={generation.returned}
      reason={generation.error?.code === 'canceled' ? undefined : generation.error?.message}
      returned={generation.status !== 'canceled' && generation.refunded ? generation.cost : 0}
      text={isFilled ? stillHere(tool) : 'Fill in the form once more to try again.'}
    >
      {isFilled && <WaysOn generation={generation} picked={picked} />}
    </Card>
  );
}

type CardProps = {
  title: string;
  reason?: string | undefined;
  returned?: number;
  text: string;
  /** Whether it takes over from what was pressed and is gone with the result. */
  takesFocus?: boolean;
  children: ReactNode;
};

function Card({ title, reason, returned = 0, text, takesFocus = false, children }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (takesFocus && isLost) heading.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <div className="stage-card paper">
      <h2 ref={heading} className="title-small" tabIndex={-1}>
        {title}
      </h2>
      {reason !== undefined && <p className="small">{reason}</p>}
      {returned > 0 && (
        <p className="notice is-good">
          <Icon name="returned" />
          <b>{plural(returned, 'credit')} returned.</b>
        </p>
      )}
      <p className="small">{text}</p>
      {children}
    </div>
  );
}

/**
 * The same photo would end the same once more: the product in it is shown, where that can be done, or another one is
 * chosen.
 */
function WaysOn({ generation, picked }: EndedCardProps) {
  const { tool, draft, work, again, submit, mark, chooseOther } = useToolInUse();
  // A press makes what is still missing of this form, and all that was asked for of another photo.
  const priceFor = (versions: number) => plural(priceOf(tool, draft) * versions, 'credit');
  const { entry } = useServedTool(generation.tool);
  const isSame = generation.error?.code === 'provider_rejected' || (generation.returned && isBuiltIn(entry));
  if (!isSame) {
    return (
      <Button
        fullWidth
        asksServer
        icon={<Icon name="again" />}
        cost={priceFor(work.press.variants.length)}
        onClick={submit}
      >
        Try again
      </Button>
    );
  }
  // Of several photos it may be another one that is refused: no person in it.
  const canShow =
    picked !== undefined &&
    (generation.candidate !== undefined || generation.returned || pictureFields(tool).length === 1);
  // Where the form has something new to make, its button is the one to press.
  const look = AGAIN_SENTENCES[again] === undefined ? 'quiet' : 'primary';
  return (
    <>
      {canShow && (
        <MarkButton
          {...toMark(picked, generation.candidate?.box)}
          apply={{ label: tool.says.button, cost: priceFor(countVersions(tool, draft)) }}
          onMarks={mark}
        >
          {(open) => (
            <Button look={look} fullWidth icon={<Icon name="box" />} asksServer onClick={open}>
              Show us the product
            </Button>
          )}
        </MarkButton>
      )}
      <Button look={canShow ? 'quiet' : look} fullWidth icon={<Icon name="picture" />} onClick={chooseOther}>
        Choose another photo
      </Button>
    </>
  );
}

function titleOf(tool: Tool, generation: Generation): string {
  if (generation.returned) return 'Result returned';
  return generation.status === 'canceled' ? canceledSentence(generation) : tool.says.nothing;
}

function stillHere(tool: Tool): string {
  const isOne = pictureFields(tool).length === 1;
  if (findWords(tool) === null) return isOne ? 'Your photo is still here.' : 'Your photos are still here.';
  return isOne ? 'Your photo and your description are still here.' : 'Your photos and your description are still here.';
}
