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
  const before = isBefore && (
    <img src={beforeUrl(media.generationId, 1280)} alt="Your photo" className="cover photo" draggable={false} />
  );
  const name = `Result: ${Object.values(media.input ?? {})[0] ?? tool.says.done}`;
  if (media.contentType.startsWith('video/')) {
    return (
      <div className="viewer-clip cover" style={{ '--ratio': media.width / media.height } as CSSProperties}>
        <Player
          src={media.contentUrl}
          poster={previewUrl(media.id, 1280)}
          name={name}
          width={media.width}
          height={media.height}
          loops
        />
        {before}
      </div>
    );
  }
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
        alt={name}
        className={isBefore ? 'cover hidden-yet' : 'cover'}
        draggable={false}
        onLoad={() => setIsWhole(true)}
        onError={() => setIsBroken(true)}
      />
      {before}
    </div>
  );
}
