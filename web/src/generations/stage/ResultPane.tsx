import type { ToolId } from '@plinth/contract/tools';
import { type Ref, useEffect } from 'react';
import { isTerminal } from '@plinth/contract/generations';
import type { Tool, ToolField } from '@plinth/contract/tool';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { useOnline } from '../../platform/online.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { EmptyPlinth } from '../../ui/EmptyPlinth.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { isPicture, pictureOf, requiredFields, type Draft } from '../drafts.ts';
import { ClipShape, findRatio, isSquared } from './ClipShape.tsx';
import { ProgressCard } from './ProgressCard.tsx';
import { SecondTries } from '../tries/second-tries.tsx';
import { Variations } from '../tries/Variations.tsx';
import { useBefore } from '../followed.ts';
import { markSeen } from '../memory.ts';
import { useToolInUse } from '../useTool.ts';
import { useUsualTime } from '../useTools.ts';

const ResultView = lazyPart(
  async () => (await import('./ResultView.tsx')).ResultView,
  () => <div className="stage-pic" />,
);
const EndedCard = lazyPart(async () => (await import('./EndedCard.tsx')).EndedCard);

export function ResultPane({ ref }: { ref: Ref<HTMLElement> }) {
  const { tool, work, draft } = useToolInUse();
  const { generation, isBusy } = work;
  const sent = useBefore(work.isOfSamePictures ? null : generation);
  // The form's own file is available at once, and sharper.
  const before = work.isOfSamePictures ? (pictureOf(draft, mainPictureField(tool))?.file ?? null) : sent;
  const picture = before ?? draftPicture(draft);
  const result = generation?.result ?? null;

  const endedId = generation !== null && isTerminal(generation.status) ? generation.id : null;
  useEffect(() => {
    if (endedId !== null) markSeen(endedId);
  }, [endedId]);

  const isComing = isBusy || work.isRemembered;
  useEffect(() => {
    if (isComing) for (const part of [ResultView, SecondTries, EndedCard]) part.prepare();
  }, [isComing]);

  return (
    <section ref={ref} className="stage column" aria-label="Result" aria-busy={isBusy} tabIndex={-1}>
      {result !== null && generation !== null ? (
        <ResultView generation={{ ...generation, result }} before={before} />
      ) : (
        <div className="stage-pic">
          {picture && (isBusy || generation !== null) && (
            <div className="under-pic cover">
              <BlobImage blob={picture} className="cover" alt="" />
            </div>
          )}
          {isBusy && <ProgressCard />}
          {!isBusy && generation !== null && <EndedCard generation={generation} />}
          {!isBusy && generation === null && <Idle />}
        </div>
      )}
      {result === null && generation !== null && (
        <Variations isAlone row={work.row} shownId={generation.id} onShow={work.show} />
      )}
    </section>
  );
}

function Idle() {
  const { toolId, tool, draft, missing } = useToolInUse();
  const count = requiredFields(tool).length;
  const isPartly = missing.length > 0 && missing.length < count;
  const photo = draftPicture(draft);
  const ratio = findRatio(tool, draft);
  const usual = useUsualTime(toolId, tool);
  return (
    <div className="empty-plinth empty-state">
      <p className="title-small">{isPartly ? toGo(tool, missing) : tool.says.empty}</p>
      <p className="small">{missing.length === count ? tool.says.start : usual.says}</p>
      {photo === null ? (
        <ExampleOf toolId={toolId} tool={tool} />
      ) : ratio === null ? (
        <EmptyPlinth />
      ) : (
        <ClipShape ratio={ratio} photo={photo} />
      )}
      {photo !== null && isSquared(tool) && <p className="caption">Processed image (768x768)</p>}
    </div>
  );
}

function toGo(tool: Tool, missing: string[]): string {
  const words = missing.map((name) => nounOf(tool.fields[name]));
  const images = words.filter((word) => word === 'image').length;
  if (words.length === 1) return `One ${words[0]} to go`;
  return images === words.length ? `${images} images to go` : tool.says.empty;
}

function nounOf(field: ToolField | undefined): string {
  if (field?.kind === 'text') return field.noun;
  return field?.kind === 'model' ? 'portrait' : 'image';
}

const draftPicture = (draft: Draft): Blob | null => Object.values(draft).find(isPicture)?.file ?? null;

/** Results of the built-in engine for the samples; `scripts/examples.mjs` makes the pictures again. */
function ExampleOf({ toolId, tool }: { toolId: ToolId; tool: Tool }) {
  const isOnline = useOnline();
  const given = Object.values(tool.fields).filter(({ kind }) => kind === 'image');
  // Offline there is nothing to show.
  if (!isOnline) return <EmptyPlinth />;
  const made = { cutout: 'Cut out', compare: 'The result', video: 'The video' }[tool.shows.kind];
  const names = given.length === 1 ? ['The photo'] : ['The person', 'The garment'];
  return (
    <figure className="example" aria-label="Example">
      {[...names, made].map((name, index) => (
        <div key={name} className={index === given.length ? 'example-result' : undefined}>
          <img
            className={index === given.length && tool.shows.kind === 'cutout' ? 'checker' : undefined}
            src={`/examples/${toolId}-${index}.webp`}
            alt=""
            width={440}
            height={440}
            loading="lazy"
          />
          <span className="caption in-line">
            {index === given.length && tool.shows.kind === 'video' && <Icon name="play" size={14} />}
            {name}
          </span>
        </div>
      ))}
      <figcaption className="caption">Example</figcaption>
    </figure>
  );
}
