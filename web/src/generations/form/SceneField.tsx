import { useState, type ComponentProps, type KeyboardEvent } from 'react';
import { z } from 'zod';
import { sceneSchema, type Scene } from '@plinth/contract/generations';
import { countCharacters } from '@plinth/contract/limits';
import type { TextField } from '@plinth/contract/tool';
import { useAnswer } from '../../platform/useAnswer.ts';
import { capital, formatCount } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { rememberScene } from '../memory.ts';
import type { WordsProps } from './WordsField.tsx';

const ScenesDialog = lazyPart(async () => (await import('./ScenesDialog.tsx')).ScenesDialog);
const scenesSchema = z.object({ items: z.array(sceneSchema) });
const KEY_STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A description in the seller's own words. Green once it has content; blanks do not count. */
export function SceneField({ name, field, value, isLocked, errorId, onChange }: WordsProps<TextField>) {
  const id = `field-${name}`;
  const isFilled = value.trim() !== '';
  const length = countCharacters(value);
  // If scenes are offered as pictures, no example texts are offered.
  const { data, isLoading } = useScenes(field.hasScenes);
  // Another tool's field may have fetched them already.
  const scenes = (field.hasScenes && data) || [];
  const suggestions = isLoading || scenes.length > 0 ? [] : field.suggestions;
  const isTooLong = length > field.maxLength;
  return (
    <div className="field" data-field={name}>
      <div className="label">
        <label htmlFor={id}>{field.label}</label>
        <span className={isTooLong ? 'caption figures is-wrong' : 'caption figures'} id={`${id}-length`}>
          {value === '' ? 'Required' : `${formatCount(length)} / ${field.maxLength}`}
          {isTooLong && `, ${formatCount(length - field.maxLength)} too many`}
        </span>
      </div>
      <textarea
        id={id}
        className={isFilled && !isTooLong ? 'input filled' : 'input'}
        placeholder={field.placeholder}
        dir="auto"
        value={value}
        readOnly={isLocked}
        aria-required="true"
        aria-invalid={errorId !== undefined || isTooLong ? true : undefined}
        aria-describedby={[errorId, isTooLong && `${id}-length`].filter(Boolean).join(' ') || undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!isFilled && suggestions.length > 0 && (
        <div className="cluster suggestions">
          {suggestions.map((suggestion) => (
            <button
              key={suggestion}
              type="button"
              className="badge"
              disabled={isLocked}
              onClick={() => {
                onChange(suggestion);
                document.getElementById(id)?.focus();
              }}
            >
              {suggestion}
            </button>
          ))}
        </div>
      )}
      {isLoading && <div className="scene-picks awaited" />}
      {scenes.length > 0 && <SceneStrip scenes={scenes} value={value} isLocked={isLocked} onPick={onChange} />}
    </div>
  );
}

/** The engine's own scenes; none if a provider serves the tool. */
function useScenes(isWanted: boolean) {
  return useAnswer(['scenes'], '/api/v1/scenes', scenesSchema, {
    select: ({ items }) => items,
    // Scenes never change, but an engine that has just started has not reported any yet.
    staleTime: ({ state }) => (state.data?.items.length ? Infinity : 0),
    enabled: isWanted,
  });
}

type SceneStripProps = { scenes: readonly Scene[]; value: string; isLocked: boolean; onPick: (words: string) => void };

function SceneStrip({ scenes, value, isLocked, onPick }: SceneStripProps) {
  const [inTurn, setInTurn] = useState(0);
  const [isOpen, setOpen] = useState(false);
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
    <button type="button" className="frame pickable" aria-pressed={isChosen} {...button}>
      <img src={scene.imageUrl} alt="" width={96} height={72} loading="lazy" decoding="async" />
      <span className="caption">{capital(scene.words)}</span>
    </button>
  );
}
