import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import type { Generation } from '@plinth/contract/generations';
import type { Marks } from '@plinth/contract/marks';
import type { Tool } from '@plinth/contract/tool';
import { useOnline } from '../../platform/online.ts';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedImage } from '../check-image.ts';
import { canceledSentence } from '../running.ts';
import { isBuiltIn, useServedTool } from '../useTools.ts';

const ShowProduct = lazy(async () => ({ default: (await import('../form/ShowProduct.tsx')).ShowProduct }));

type EndedCardProps = {
  tool: Tool;
  generation: Generation;
  /** Credits for one version, and how many versions a press makes of the form as it is, and of another photo. */
  price: number;
  versions: { next: number; anew: number };
  isFilled: boolean;
  picked: PickedImage | undefined;
  onAgain: () => void;
  onOtherPhoto: () => void;
  onMarks: (marks: Marks) => void;
  onShow: (generationId: string) => void;
};

export function EndedCard(props: EndedCardProps) {
  const { tool, generation, isFilled, onShow } = props;
  const { redoOf } = generation;
  if (redoOf !== null && !generation.returned) {
    return (
      <Card title={titleOf(tool, generation)} text="It was free. What you had before is still there.">
        <Button fullWidth onClick={() => onShow(redoOf)}>
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
      {isFilled && <WaysOn {...props} />}
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
        <p className="notice is-good centred">
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
function WaysOn({ tool, generation, price, versions, picked, onAgain, onOtherPhoto, onMarks }: EndedCardProps) {
  const isOnline = useOnline();
  const { entry } = useServedTool(generation.tool);
  const isSame = generation.error?.code === 'provider_rejected' || (generation.returned && isBuiltIn(entry));
  if (!isSame) {
    return (
      <Button
        fullWidth
        disabled={!isOnline}
        icon={<Icon name="again" />}
        cost={plural(price * versions.next, 'credit')}
        onClick={onAgain}
      >
        Try again
      </Button>
    );
  }
  const canShow = picked !== undefined;
  return (
    <>
      {canShow && (
        <Suspense>
          <ShowProduct
            picked={picked}
            candidate={generation.candidate?.box}
            apply={{ label: tool.says.button, cost: plural(price * versions.anew, 'credit') }}
            onMarks={onMarks}
          >
            {(open, icon) => (
              <Button look="primary" fullWidth icon={icon} disabled={!isOnline} onClick={open}>
                Show us the product
              </Button>
            )}
          </ShowProduct>
        </Suspense>
      )}
      <Button look={canShow ? 'quiet' : 'primary'} fullWidth icon={<Icon name="picture" />} onClick={onOtherPhoto}>
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
  const kinds = Object.values(tool.fields).map(({ kind }) => kind);
  const isOne = kinds.filter((kind) => kind === 'image').length === 1;
  if (!kinds.includes('text')) return isOne ? 'Your photo is still here.' : 'Your photos are still here.';
  return isOne ? 'Your photo and your description are still here.' : 'Your photos and your description are still here.';
}
