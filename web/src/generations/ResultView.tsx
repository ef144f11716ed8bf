import { useState, type CSSProperties, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Generation } from '@plinth/contract/generations';
import { mediaSchema, type Media } from '@plinth/contract/media';
import { pageSchema } from '@plinth/contract/paging';
import type { Tool } from '@plinth/contract/tools';
import { canCopyPictures, copyPicture, downloadMedia } from '../media/download.ts';
import { useNow } from '../platform/clock.ts';
import { useOnline } from '../platform/online.ts';
import { useApi } from '../platform/useApi.ts';
import { useCached } from '../platform/useCached.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { Button } from '../ui/Button.tsx';
import { Compare } from '../ui/Compare.tsx';
import { formatKilobytes, formatRemaining } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { VideoView } from './VideoView.tsx';

/** Results that were uncovered once; they stand still when one comes back to them. */
const UNCOVERED_KEY = ['stage', 'uncovered'];
const NONE: readonly string[] = [];

type Result = NonNullable<Generation['result']>;
type ResultViewProps = {
  tool: Tool;
  generation: Generation;
  result: Result;
  before: Blob | null;
  description: string;
};

/** The print on the stage and the bar below it. */
export function ResultView({ tool, generation, result, before, description }: ResultViewProps) {
  const media = useResultMedia(result.mediaId);
  const [ground, setGround] = useState<'Grid' | 'White'>('Grid');
  const isCutout = tool.shows.kind === 'cutout';
  return (
    <>
      <div className={isCutout ? `stage-pic ${ground === 'Grid' ? 'checker' : 'white'}` : 'stage-pic'}>
        <Print
          key={generation.id}
          generationId={generation.id}
          tool={tool}
          result={result}
          before={before}
          alt={`Result: ${description}`}
        />
        {isCutout && (
          <div className="seg grounds" role="group" aria-label="Show on">
            {(['Grid', 'White'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={ground === one} onClick={() => setGround(one)}>
                {one}
              </button>
            ))}
          </div>
        )}
      </div>
      <Foot tool={tool} result={result} media={media} isCutout={isCutout} />
    </>
  );
}

type PrintProps = Pick<ResultViewProps, 'tool' | 'result' | 'before'> & { generationId: string; alt: string };

function Print({ generationId, tool, result, before, alt }: PrintProps) {
  const [uncovered, setUncovered] = useCached<readonly string[]>(UNCOVERED_KEY, NONE);
  const [ratio, setRatio] = useState<number>();
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <p className="small z-1">This picture could not be shown. It may have been deleted already.</p>;
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
    return <VideoView url={result.contentUrl} before={before} name={alt} loops={tool.shows.loops} />;
  }
  if (tool.shows.kind === 'cutout') return <div className="fit">{image('cutout')}</div>;
  if (before === null) {
    return (
      <div className="fit" style={{ '--ratio': ratio ?? 1 } as CSSProperties}>
        {image('single')}
      </div>
    );
  }
  return (
    <div
      className={ratio === undefined ? 'fit invisible' : 'fit'}
      onAnimationEnd={() => setUncovered((ids) => [...ids, generationId])}
    >
      <Compare
        before={<BlobImage blob={before} alt={nameBefore(before)} className="layer before" />}
        after={image('layer after')}
        labels={['Your photo', tool.shows.after]}
        ratio={ratio ?? 1}
        reveal={ratio !== undefined && !uncovered.includes(generationId)}
      />
    </div>
  );
}

function nameBefore(before: Blob): string {
  return before instanceof File ? `Your picture, ${before.name}` : 'Your picture';
}

type FootProps = { tool: Tool; result: Result; media: Media | undefined; isCutout: boolean };

function Foot({ tool, result, media, isCutout }: FootProps) {
  const api = useApi();
  const now = useNow(1000);
  const isOnline = useOnline();
  const size = isCutout ? 'Transparent PNG' : media && `${media.width} × ${media.height}`;
  return (
    <div className="stage-foot">
      <div className="grow">
        <b>{result.originalFilename}</b>
        <span className="tag num">
          {media
            ? `${size}, ${formatKilobytes(media.bytes)}. Deleted in ${formatRemaining(Date.parse(media.expiresAt) - now)}.`
            : '\u00a0'}
        </span>
      </div>
      {tool.file.type === 'png' && canCopyPictures() && (
        <Button
          icon={<Icon name="copy" />}
          disabled={!isOnline}
          onClick={() => void copyPicture(api, result.contentUrl)}
        >
          Copy
        </Button>
      )}
      <Button
        look="primary"
        icon={<Icon name="download" />}
        disabled={!isOnline}
        onClick={() => void downloadMedia(api, result, tool.says.downloadFailed)}
      >
        {tool.says.download}
      </Button>
    </div>
  );
}

const mediaPage = pageSchema(mediaSchema);

/** Size and time left stand only in the media list; what was just made is at its head. */
function useResultMedia(mediaId: string): Media | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['media', 'of-result', mediaId],
    queryFn: async () => {
      const { items } = await api.send('/api/v1/media?limit=100', mediaPage);
      return items.find(({ id }) => id === mediaId) ?? null;
    },
  });
  return data ?? undefined;
}
