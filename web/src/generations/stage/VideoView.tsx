import { useEffect, useRef, useState } from 'react';
import { sentences } from '@plinth/contract/errors';
import { useMediaQuery } from '../../platform/media-query.ts';
import { say } from '../../ui/toast.tsx';

type VideoViewProps = { url: string; before: Blob | null; name: string; loops: boolean };

/** A finished clip. One that loops plays by itself, silently, unless the person wants less motion. */
export function VideoView({ url, before, name, loops }: VideoViewProps) {
  const wantsStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const video = useRef<HTMLVideoElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  // The uploaded picture stands there until the clip plays.
  useEffect(() => {
    if (before === null || video.current === null) return;
    const url = URL.createObjectURL(before);
    video.current.poster = url;
    return () => URL.revokeObjectURL(url);
  }, [before]);
  return (
    <div className="fit">
      <video
        ref={video}
        className="clip"
        src={url}
        aria-label={name}
        controls
        playsInline
        muted={loops}
        loop={loops}
        autoPlay={loops && !wantsStill}
        preload={loops ? 'auto' : 'metadata'}
        onError={() => {
          setIsBroken(true);
          say.wrong(sentences.videoPlayFailed, { id: 'play' });
        }}
      />
      {isBroken && <p className="small clip-broken">{sentences.videoPlayFailed}</p>}
    </div>
  );
}
