import { useState, type CSSProperties } from 'react';
import { beforeUrl, previewUrl, type Media } from '@plinth/contract/media';
import type { Tool } from '@plinth/contract/tool';
import type { View } from '../platform/pan-zoom.ts';
import { Player } from '../ui/Player.tsx';

/** Background behind a cut-out: squares, or a CSS colour. */
export type Ground = 'checks' | `#${string}`;

type PrintProps = { media: Media; tool: Tool; view: View | null; ground: Ground; isBefore: boolean };

export function Print({ media, tool, view, ground, isBefore }: PrintProps) {
  const [isWhole, setIsWhole] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  if (media.contentType.startsWith('video/')) return <Clip media={media} tool={tool} isBefore={isBefore} />;
  if (view === null) return null;
  if (isBroken) return <p className="small">This picture could not be shown. It may have been deleted.</p>;
  const isCutout = tool.shows.kind === 'cutout';
  const style: CSSProperties = {
    width: media.width * view.scale,
    height: media.height * view.scale,
    transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px)`,
    ...(isCutout && ground !== 'checks' && { background: ground }),
  };
  return (
    <div
      className={isCutout && ground === 'checks' ? 'viewer-print print checker' : 'viewer-print print'}
      style={style}
    >
      {!isWhole && <img src={previewUrl(media.id, 1280)} alt="" className="cover" draggable={false} />}
      <img
        src={media.contentUrl}
        alt={describe(media, tool)}
        className={isBefore ? 'cover hidden-yet' : 'cover'}
        draggable={false}
        onLoad={() => setIsWhole(true)}
        onError={() => setIsBroken(true)}
      />
      {isBefore && (
        <img src={beforeUrl(media.generationId, 1280)} alt="Your photo" className="cover photo" draggable={false} />
      )}
    </div>
  );
}

function describe(media: Media, tool: Tool): string {
  return `Result: ${Object.values(media.input ?? {})[0] ?? tool.says.done}`;
}

function Clip({ media, tool, isBefore }: Pick<PrintProps, 'media' | 'tool' | 'isBefore'>) {
  return (
    <div className="viewer-clip cover" style={{ '--ratio': media.width / media.height } as CSSProperties}>
      <Player
        src={media.contentUrl}
        poster={previewUrl(media.id, 1280)}
        name={describe(media, tool)}
        width={media.width}
        height={media.height}
        loops
      />
      {isBefore && (
        <img src={beforeUrl(media.generationId, 1280)} alt="Your photo" className="cover photo" draggable={false} />
      )}
    </div>
  );
}
