import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Scene } from '@plinth/contract/generations';
import { formatCount } from '../ui/format.ts';
import { isSceneOf, useScenes } from './useScenes.ts';

const KEY_STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

type SceneStripProps = { value: string; isLocked: boolean; onPick: (words: string) => void };

/**
 * The engine's own scenes in one line that scrolls, or all of them; picking one writes its words. Nothing where a
 * provider serves.
 */
export function SceneStrip({ value, isLocked, onPick }: SceneStripProps) {
  const scenes = useScenes();
  const strip = useRef<HTMLDivElement>(null);
  const [inTurn, setInTurn] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const id = useId();
  if (scenes.length === 0) return null;

  // One stop for Tab, then the arrows, as in a toolbar.
  const handleKey = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? scenes.length - 1 : step && inTurn + step;
    if (to === undefined || to < 0 || to >= scenes.length) return;
    event.preventDefault();
    setInTurn(to);
    strip.current?.querySelectorAll<HTMLElement>('button')[to]?.focus();
  };
  return (
    <div className="scene-picks">
      <p className="tag">
        Or pick a scene
        <button
          type="button"
          className="textlink"
          aria-expanded={isWhole}
          aria-controls={id}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `See all ${formatCount(scenes.length)}`}
        </button>
      </p>
      <div
        ref={strip}
        id={id}
        className={isWhole ? 'scenes whole' : 'scenes'}
        role="toolbar"
        aria-label="Scenes to pick"
        onKeyDown={handleKey}
      >
        {scenes.map((scene, index) => (
          <Pick
            key={scene.id}
            scene={scene}
            isChosen={isSceneOf(value, scene)}
            isLocked={isLocked}
            isInTurn={index === inTurn}
            onFocus={() => setInTurn(index)}
            onPick={() => onPick(scene.words)}
          />
        ))}
      </div>
    </div>
  );
}

type PickProps = {
  scene: Scene;
  isChosen: boolean;
  isLocked: boolean;
  isInTurn: boolean;
  onFocus: () => void;
  onPick: () => void;
};

function Pick({ scene, isChosen, isLocked, isInTurn, onFocus, onPick }: PickProps) {
  return (
    <button
      type="button"
      className="frame"
      aria-pressed={isChosen}
      disabled={isLocked}
      title={scene.words}
      tabIndex={isInTurn ? 0 : -1}
      onFocus={onFocus}
      onClick={onPick}
    >
      <img src={scene.imageUrl} alt="" width={96} height={72} loading="lazy" decoding="async" />
      <span className="tag">{scene.words}</span>
    </button>
  );
}
