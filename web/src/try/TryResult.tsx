import { useEffect, useRef, useState, type MouseEvent } from 'react';
import type { ToolId } from '@plinth/contract/tools';
import { storeHandoff } from '../platform/handoff.ts';
import { saveBlob } from '../platform/save-file.ts';
import { BlobImage } from '../ui/BlobImage.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import './try-result.css';
import { scenes } from './scenes.ts';

type View = { name: string; alt: string; toolId: ToolId; words: string | null };

const views: readonly View[] = [
  { name: 'Cut out', alt: 'Your product without a background', toolId: 'remover', words: null },
  ...scenes.map(({ name, words }) => ({
    name,
    alt: `Your product in the scene: ${words}`,
    toolId: 'text-to-image' as const,
    words,
  })),
];

type TryResultProps = { photo: File; pictures: Blob[]; onAnother: () => void };

export function TryResult({ photo, pictures, onAnother }: TryResultProps) {
  const [selected, setSelected] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  // the element that had the focus is gone
  useEffect(() => frame.current?.focus({ preventScroll: true }), [pictures]);
  const shown = views[selected];
  const picture = pictures[selected];
  if (shown === undefined || picture === undefined) return null;
  const loginUrl = `/login?to=${encodeURIComponent(`/dashboard/${shown.toolId}`)}`;
  const stem = photo.name.replace(/\.[^.]*$/, '');
  const save = () => saveBlob(picture, `${stem}-${selected === 0 ? 'cutout' : 'scene'}.${picture.type.split('/')[1]}`);
  const handleKeep = (event: MouseEvent) => {
    event.preventDefault();
    const openTool = () => window.location.assign(loginUrl);
    // a browser without storage, like a private window, still opens the tool
    storeHandoff({ toolId: shown.toolId, photo, words: shown.words }).then(openTool, openTool);
  };
  return (
    <>
      <div ref={frame} className={selected === 0 ? 'try-shown print checker' : 'try-shown print'} tabIndex={-1}>
        <BlobImage key={selected} blob={picture} alt={shown.alt} />
      </div>
      <div className="try-views in-line" role="radiogroup" aria-label="Shown">
        {views.map(({ name }, index) => (
          <label key={name}>
            <input
              type="radio"
              className="laid-over"
              name="try-view"
              checked={index === selected}
              onChange={() => setSelected(index)}
            />
            <span className={index === 0 ? 'print checker' : 'print'}>
              {pictures[index] !== undefined && <BlobImage blob={pictures[index]} alt="" />}
            </span>
            <span className="caption">{name}</span>
          </label>
        ))}
      </div>
      <div className="cluster">
        <a className={buttonClass({ look: 'primary' })} href={loginUrl} onClick={handleKeep}>
          Go on with this photo: sign in
          <Icon name="forward" />
        </a>
        <button type="button" className={buttonClass({ look: 'quiet' })} onClick={save}>
          <Icon name="download" />
          Save
        </button>
        <button type="button" className={buttonClass({ look: 'borderless' })} onClick={onAnother}>
          Another photo
        </button>
      </div>
      <p className="caption">
        Made in your browser; nothing was uploaded. Signed in, the photo stands in the tool, where a credit makes the
        picture anew.
        {selected > 0 && ' The scene is a quick look: there, light, shadow and size are matched to your product.'}
      </p>
    </>
  );
}
