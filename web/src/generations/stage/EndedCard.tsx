import { useEffect, useRef } from 'react';
import type { Generation } from '@plinth/contract/generations';
import type { Tool } from '@plinth/contract/tool';
import { findTextField, pictureFields } from '@plinth/contract/tool-fields';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { AGAIN_SENTENCES } from '../again.ts';
import { canceledSentence } from '../followed.ts';
import { toMark } from '../subject.ts';
import { useToolInUse } from '../useTool.ts';
import { isBuiltIn } from '../useTools.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const MarkButton = lazyPart(async () => (await import('../form/MarkButton.tsx')).MarkButton);

type EndedCardProps = { generation: Generation };

export function EndedCard({ generation }: EndedCardProps) {
  const { tool, missing, work } = useToolInUse();
  const { redoOf, returned, error } = generation;
  const earlierId = returned ? null : redoOf;
  const isFilled = missing.length === 0;
  const isPaidBack = earlierId === null && generation.status !== 'canceled' && generation.refunded;
  const title = generation.status === 'canceled' ? canceledSentence(generation) : tool.says.nothing;
  const heading = useRef<HTMLHeadingElement>(null);
  // Takes the focus from the pressed button, which is gone with the result; a page that only loads keeps its focus.
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (returned && isLost && navigator.userActivation?.hasBeenActive !== false)
      heading.current?.focus({ preventScroll: true });
  }, [returned]);
  return (
    <div className="stage-card paper">
      <h2 ref={heading} className="title-small" tabIndex={-1}>
        {returned ? 'Result returned' : title}
      </h2>
      {earlierId === null && error !== null && error.code !== 'canceled' && <p className="small">{error.message}</p>}
      {isPaidBack && generation.cost > 0 && (
        <p className="small in-line is-good">
          <Icon name="returned" />
          <b className="is-good">{plural(generation.cost, 'credit')} returned.</b>
        </p>
      )}
      <p className="small">{earlierId === null ? whatIsHere(tool, isFilled) : FREE_TRY}</p>
      {earlierId !== null && (
        <Button fullWidth onClick={() => work.show(earlierId)}>
          Back to it
        </Button>
      )}
      {earlierId === null && isFilled && <WaysOn generation={generation} />}
    </div>
  );
}

const FREE_TRY = 'It was free. What you had before is still there.';

/** The same photo would end the same way: the user marks its product, if possible, or chooses another photo. */
function WaysOn({ generation }: EndedCardProps) {
  const { tool, entry, picked, work, again, submit, mark, choose, markable, cost, versions } = useToolInUse();
  // A press makes the missing versions of this form, or all versions for another photo.
  const priceFor = (count: number) => plural(cost * count, 'credit');
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
  // Of several photos only one whose product was looked for is known as the refused one.
  const isKnown = generation.candidate !== undefined && markable !== null;
  const isRefused = (name: string) => tool.fields[name]?.kind === 'image' && (!isKnown || name === markable);
  const refused = Object.entries(tool.fields).filter(([name]) => isRefused(name));
  const canShow = picked !== undefined && (generation.returned || refused.length === 1);
  // If the form can make something new, its button is the primary one.
  const look = AGAIN_SENTENCES[again] === undefined ? 'quiet' : 'primary';
  return (
    <>
      {canShow && (
        <MarkButton
          {...toMark(picked, generation.candidate?.box)}
          apply={{ label: tool.says.button, cost: priceFor(versions) }}
          onMarks={mark}
        >
          {(open) => (
            <Button look={look} fullWidth icon={<Icon name="box" />} asksServer onClick={open}>
              Show us the product
            </Button>
          )}
        </MarkButton>
      )}
      {refused.map(([name, field]) => (
        <Button
          key={name}
          look={canShow || refused.length > 1 ? 'quiet' : look}
          fullWidth
          icon={<Icon name="picture" />}
          onClick={() => choose(name)}
        >
          Choose another {'noun' in field && field.noun}
        </Button>
      ))}
    </>
  );
}

function whatIsHere(tool: Tool, isFilled: boolean): string {
  if (!isFilled) return 'Fill in the form once more to try again.';
  const isOne = pictureFields(tool).length === 1;
  if (findTextField(tool) === null) return isOne ? 'Your photo is still here.' : 'Your photos are still here.';
  return isOne ? 'Your photo and your description are still here.' : 'Your photos and your description are still here.';
}
