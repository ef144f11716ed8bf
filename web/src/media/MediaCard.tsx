import { Menu } from '@base-ui/react/menu';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { sentences } from '@plinth/contract/errors';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { previewUrl, type Media } from '@plinth/contract/media';
import { nameTool, toolIds, tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { clamp } from '../platform/clamp.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { formatRemaining, formatShortDateTime } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { say } from '../ui/above/toast.tsx';
import { downloadMedia } from './download.ts';
import { MoreMenu, PhotoWays } from './MoreMenu.tsx';
import { linkToHistory } from './viewer-path.ts';

const SOON_MS = 4 * 60 * 60 * 1000;
/** On a phone a card is 169 px wide: the small preview suffices for two device pixels per CSS pixel. */
const CARD_SIZES = '(width < 768px) 160px, 320px';
const typeLabels: Record<string, string> = {
  product_image: 'Product image',
  basic_video: 'Basic video',
  premium_video: 'Premium video',
};

type MediaCardProps = {
  media: Media;
  now: number;
  picking: { isChosen: boolean; toggle: () => void } | null;
  onDelete: () => void;
};

export function MediaCard({ media, now, picking, onDelete }: MediaCardProps) {
  const known = typeLabels[media.mediaType];
  const date = formatShortDateTime(media.createdAt);
  const leftMs = Date.parse(media.expiresAt) - now;
  const isVideo = media.contentType.startsWith('video/');
  const tool: Tool = tools[media.tool];
  const words = Object.values(media.input ?? {})[0] || media.photoName || undefined;
  // With its words: results of one minute would be indistinguishable.
  const name = [known ?? media.mediaType, date, words && shorten(words)].filter(Boolean).join(', ');
  return (
    <li className={leftMs <= 0 ? 'media-card picture-tile is-deleted' : 'media-card picture-tile'}>
      <div className={tool.shows.kind === 'cutout' ? 'print checker' : 'print'}>
        {isVideo ? (
          <CardVideo media={media} name={name} />
        ) : (
          <img
            src={previewUrl(media.id, 640)}
            srcSet={`${previewUrl(media.id, 320)} 320w, ${previewUrl(media.id, 640)} 640w`}
            sizes={CARD_SIZES}
            alt=""
            width={media.width}
            height={media.height}
            loading="lazy"
            decoding="async"
          />
        )}
        {picking !== null && (
          <label className="media-pick cover on-top">
            <input type="checkbox" aria-label={`Select ${name}`} checked={picking.isChosen} onChange={picking.toggle} />
          </label>
        )}
      </div>
      <div className="media-caption">
        <h2 className="media-name in-line">
          {known === undefined && <Icon name="picture" size={16} />}
          <Link {...linkToHistory(media.id)} resetScroll={false} className={isVideo ? undefined : 'opens-large'}>
            {nameTool(tool)}
            <span className="sr-only">, {name}, view large</span>
          </Link>
        </h2>
        <Acts media={media} name={name} onDelete={onDelete} />
        <span className="caption figures">
          {known ?? media.mediaType}, <span className="one-line">{date}</span>
        </span>
        <p className="caption media-words cut-off" title={words} dir="auto">
          {words}
        </p>
        <Countdown leftMs={leftMs} />
      </div>
    </li>
  );
}

/** What is read aloud before each action of a card. */
const shorten = (words: string) => (words.length <= 80 ? words : `${words.slice(0, 79)}…`);

function Acts({ media, name, onDelete }: Pick<MediaCardProps, 'media' | 'onDelete'> & { name: string }) {
  const api = useApi();
  return (
    <div className="media-acts">
      <Button
        look="borderless"
        icon={<Icon name="download" />}
        asksServer
        aria-label={`Download ${name}`}
        onClick={() => void downloadMedia(api, media)}
      >
        Download
      </Button>
      <MoreMenu media={media} label={`More actions for ${name}`} onDelete={onDelete}>
        {!media.contentType.startsWith('video/') && (
          <>
            <Menu.Group>
              <Menu.GroupLabel className="popup-label caption">Use as new photo</Menu.GroupLabel>
              <PhotoWays mediaId={media.id} toolIds={toolIds} />
            </Menu.Group>
            <div className="popup-line" />
          </>
        )}
      </MoreMenu>
    </div>
  );
}

function Countdown({ leftMs }: { leftMs: number }) {
  const share = clamp(leftMs / (MEDIA_TTL_SECONDS * 1000), 0, 1);
  return (
    <div className={leftMs < SOON_MS ? 'time-left in-line ends-soon' : 'time-left in-line'}>
      <div className="meter grows">
        <i style={{ width: `${Math.round(share * 100)}%` }} />
      </div>
      <span className="caption figures">{leftMs <= 0 ? 'Deleted' : `${formatRemaining(leftMs)} left`}</span>
    </div>
  );
}

function CardVideo({ media, name }: { media: Media; name: string }) {
  const [isPlaying, setIsPlaying] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const play = () => {
    // It is focusable once it has controls.
    flushSync(() => setIsPlaying(true));
    video.current?.focus();
    // An unplayable clip shows its own error; pausing before it starts is not one.
    video.current?.play().catch(() => undefined);
  };
  return (
    <>
      <video
        ref={video}
        src={media.contentUrl}
        poster={previewUrl(media.id, 320)}
        aria-label={name}
        width={media.width}
        height={media.height}
        playsInline
        preload="none"
        controls={isPlaying}
        tabIndex={isPlaying ? 0 : undefined}
        onError={() => say.wrong(sentences.videoPlayFailed, { id: `play-${media.id}` })}
      />
      {!isPlaying && (
        <button type="button" className="cover" aria-label={`Play ${name}`} onClick={play}>
          <span className="on-picture caption in-line">
            <Icon name="play" size={16} />
          </span>
        </button>
      )}
    </>
  );
}
