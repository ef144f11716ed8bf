import { useState, type ComponentProps } from 'react';
import { sentences } from '@plinth/contract/errors';
import { useMediaQuery } from '../platform/media-query.ts';
import { say } from './above/toast.tsx';

type PlayerProps = Pick<ComponentProps<'video'>, 'src' | 'poster' | 'width' | 'height'> & {
  name: string;
  /** Plays in a loop without sound; not under `prefers-reduced-motion`. */
  loops: boolean;
};

export function Player({ name, loops, ...rest }: PlayerProps) {
  const wantsStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [isBroken, setIsBroken] = useState(false);
  return (
    <>
      <video
        {...rest}
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
      {isBroken && <p className="caption on-picture">{sentences.videoPlayFailed}</p>}
    </>
  );
}
