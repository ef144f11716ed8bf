import { useState, type ComponentProps, type KeyboardEvent } from 'react';
import type { Scene } from '@plinth/contract/generations';
import { capital, formatCount } from '../../ui/format.ts';
import { rememberScene } from '../memory.ts';
import { useScenes } from './useScenes.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

const ScenesDialog = lazyPart(async () => (await import('./ScenesDialog.tsx')).ScenesDialog);
const KEY_STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

type SceneStripProps = { value: string; isLocked: boolean; onPick: (words: string) => void };

export function SceneStrip({ value, isLocked, onPick }: SceneStripProps) {
  const { scenes, isPending } = useScenes();
  const [inTurn, setInTurn] = useState(0);
  const [isOpen, setOpen] = useState(false);
  if (scenes.length === 0) return isPending ? <div className="scene-picks awaited" /> : null;

  const pick = ({ id, words }: Scene) => {
    rememberScene(id);
    onPick(words);
    setOpen(false);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? scenes.length - 1 : step && inTurn + step;
    if (to === undefined || to < 0 || to >= scenes.length) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('button')[to]?.focus();
  };
  return (
    <div className="scene-picks field">
      <p className="caption spread">
        Or pick a scene
        <button
          type="button"
          className="textlink"
          aria-haspopup="dialog"
          disabled={isLocked}
          onClick={() => setOpen(true)}
        >
          {`See all ${formatCount(scenes.length)}`}
        </button>
      </p>
      <div className="scene-line scroll-line" role="toolbar" aria-label="Scenes to pick" onKeyDown={handleKey}>
        {scenes.map((scene, index) => (
          <SceneButton
            key={scene.id}
            scene={scene}
            value={value}
            disabled={isLocked}
            tabIndex={index === inTurn ? 0 : -1}
            onFocus={() => setInTurn(index)}
            onClick={() => pick(scene)}
          />
        ))}
      </div>
      {isOpen && <ScenesDialog scenes={scenes} value={value} onClose={() => setOpen(false)} onPick={pick} />}
    </div>
  );
}

type SceneButtonProps = ComponentProps<'button'> & { scene: Scene; value: string };

/** Pressed if the field's text selects this scene. */
export function SceneButton({ scene, value, ...button }: SceneButtonProps) {
  const isChosen = scene.words.toLowerCase() === value.trim().toLowerCase();
  return (
    <button type="button" className="frame pickable" aria-pressed={isChosen} title={scene.words} {...button}>
      <img src={scene.imageUrl} alt="" width={96} height={72} loading="lazy" decoding="async" />
      <span className="caption">{capital(scene.words)}</span>
    </button>
  );
}
