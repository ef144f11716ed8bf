import { useState, type CSSProperties, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Link, useNavigate } from '@tanstack/react-router';
import { findTextField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { canCopyPictures, copyPicture, downloadMedia } from '../../media/download.ts';
import { linkToHistory } from '../../media/viewer-path.ts';
import { useApi } from '../../platform/useApi.ts';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Compare } from '../../ui/Compare.tsx';
import { Delayed } from '../../ui/Delayed.tsx';
import { Segmented } from '../../ui/fields/Segmented.tsx';
import { MOVE_IT, ResultFoot } from './ResultFoot.tsx';
import type { Made } from '../tries/SecondTries.tsx';
import { textOf } from '../drafts.ts';
import { plural } from '../../ui/format.ts';
import { useMemory } from '../memory.ts';
import { useToolInUse } from '../useTool.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const Player = lazyPart(async () => (await import('../../ui/Player.tsx')).Player);
const PlaceProduct = lazyPart(
  async () => (await import('./PlaceProduct.tsx')).PlaceProduct,
  () => <div className="stage-pic" />,
);

export type ResultViewProps = { generation: Made; before: Blob | null };

/** Background behind a cut-out, by the class name of the print. */
const GROUNDS = { checker: 'Grid', white: 'White' };

export function ResultView(props: ResultViewProps) {
  const { generation, before } = props;
  const { result } = generation;
  const { tool, draft, picked, work, isPlaced, place, canRedo, cost, versions } = useToolInUse();
  useResultKeys(tool, result);
  const [ground, setGround] = useState<keyof typeof GROUNDS>('checker');
  const isCutout = tool.shows.kind === 'cutout';
  const text = findTextField(tool)?.name;
  const words = text && (generation.input?.[text] ?? textOf(draft, text)).trim();
  const [isPlacing, setIsPlacing] = useState(false);
  const outline = work.change === null ? null : picked?.subject?.outline;
  const placed = result.placement;
  const placing = place && picked && outline && placed && before && { outline, placed, photo: before };
  const stop = () => {
    flushSync(() => setIsPlacing(false));
    document.getElementById(MOVE_IT)?.focus();
  };
  if (isPlacing && placing) {
    return (
      <PlaceProduct
        {...placing}
        made={result.contentUrl}
        ratio={picked.width / picked.height}
        isPlaced={isPlaced}
        price={canRedo ? `free, ${generation.redosLeft} left` : plural(cost * versions, 'credit')}
        onClose={stop}
        onPlace={(placement) => {
          setIsPlacing(false);
          place(placement);
        }}
      />
    );
  }
  return (
    <>
      <div className={isCutout ? `stage-pic ${ground}` : 'stage-pic'}>
        <Print
          key={generation.id}
          tool={tool}
          generation={generation}
          // Beside a product that was moved, the photo would show it a second time.
          before={isPlaced ? null : before}
          alt={`Result: ${words || tool.says.done}`}
        />
      </div>
      <ResultFoot
        key={`foot of ${generation.id}`}
        {...props}
        onMove={placing ? () => setIsPlacing(true) : undefined}
        grounds={
          isCutout && (
            <Segmented className="grounds" label="Show on" names={GROUNDS} value={ground} onChange={setGround} />
          )
        }
      />
    </>
  );
}

/** Keys of the result while the focus is on the stage. */
export function useResultKeys(tool: Tool, result: Made['result']): void {
  const api = useApi();
  const navigate = useNavigate();
  useWindowEvent('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    const stage = target.closest('.stage');
    if (stage === null || target.matches('input:not([type=range]), textarea')) return;
    if (key === 'Enter' && target === stage) void navigate({ ...linkToHistory(result.mediaId), resetScroll: false });
    if (key === 'd') void downloadMedia(api, result, tool.says.downloadFailed);
    if (key === 'c' && tool.file.type === 'png' && canCopyPictures()) void copyPicture(api, result.contentUrl);
  });
}

type PrintProps = ResultViewProps & { tool: Tool; alt: string };

function Print({ generation: { id, result }, tool, before, alt }: PrintProps) {
  const uncovered = useMemory((memory) => memory.uncovered);
  const [ratio, setRatio] = useState<number>();
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) {
    return (
      <div className="empty-state">
        <p className="small">This picture could not be shown. It may have been deleted already.</p>
        <Button onClick={() => setIsBroken(false)}>Try again</Button>
      </div>
    );
  }
  const image = (className: string): ReactNode => (
    <img
      src={result.contentUrl}
      alt={alt}
      className={className}
      onLoad={({ currentTarget }) => setRatio(currentTarget.naturalWidth / currentTarget.naturalHeight)}
      onError={() => setIsBroken(true)}
    />
  );
  if (tool.shows.kind === 'video') {
    return (
      <div className="print-room">
        <Player src={result.contentUrl} poster={result.posterUrl} name={alt} loops={tool.shows.loops} />
      </div>
    );
  }
  return (
    <>
      {ratio === undefined && (
        <Delayed>
          <span className="spinner" aria-hidden="true" />
        </Delayed>
      )}
      {tool.shows.kind === 'cutout' || before === null ? (
        <Large mediaId={result.mediaId} ratio={ratio}>
          {image(tool.shows.kind === 'cutout' ? 'cutout' : 'single')}
        </Large>
      ) : (
        <div
          className={ratio === undefined ? 'print-room hidden-yet' : 'print-room'}
          onAnimationEnd={() => useMemory.setState({ uncovered: new Set([...uncovered, id]) })}
        >
          <Compare
            before={<BlobImage blob={before} alt={nameBefore(before)} className="layer before" />}
            after={image('layer after')}
            labels={['Your photo', tool.shows.after]}
            ratio={ratio ?? 1}
            reveal={ratio !== undefined && !uncovered.has(id)}
          />
        </div>
      )}
    </>
  );
}

function Large({ mediaId, ratio = 1, children }: { mediaId: string; ratio?: number | undefined; children: ReactNode }) {
  return (
    <Link
      {...linkToHistory(mediaId)}
      resetScroll={false}
      className="print-room leads-on"
      style={{ '--ratio': ratio } as CSSProperties}
      tabIndex={-1}
    >
      {children}
    </Link>
  );
}

function nameBefore(before: Blob): string {
  return before instanceof File && before.name !== '' ? `Your picture, ${before.name}` : 'Your picture';
}
