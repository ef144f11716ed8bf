import { useState } from 'react';
import { sentences } from '@plinth/contract/errors';
import { useMediaQuery } from '../../platform/media-query.ts';
import { say } from '../../ui/toast.tsx';

type VideoViewProps = { url: string; posterUrl: string | undefined; name: string; loops: boolean };

export function VideoView({ url, posterUrl, name, loops }: VideoViewProps) {
  const wantsStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [isBroken, setIsBroken] = useState(false);
  return (
    <div className="print-room">
      <video
        src={url}
        poster={posterUrl}
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
      {isBroken && <p className="caption on-picture clip-broken">{sentences.videoPlayFailed}</p>}
    </div>
  );
}
