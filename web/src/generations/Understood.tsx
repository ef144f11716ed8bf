import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Generation } from '@plinth/contract/generations';
import type { TextField } from '@plinth/contract/tool';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/Button.tsx';
import { SceneStrip } from './SceneStrip.tsx';
import type { Change } from './useSecondTry.ts';

type UnderstoodProps = {
  field: TextField;
  generation: Generation;
  /** The words it was made from. */
  words: string;
  isBusy: boolean;
  onRedo: (change: Change) => void;
};

/** What was made of the words and what was not; and, while tries are left, other words. */
export function Understood({ field, generation, words, isBusy, onRedo }: UnderstoodProps) {
  const { result, redosLeft } = generation;
  const { understood, notDrawn = [] } = result ?? {};
  const isNothing = understood?.length === 0;
  const [isOpen, setIsOpen] = useState(isNothing);
  const place = useRef<HTMLDivElement>(null);
  const canRedo = redosLeft > 0;
  /** What is pressed goes away with it: the focus goes on with what takes its place. */
  const turn = (isOpening: boolean) => {
    flushSync(() => setIsOpen(isOpening));
    place.current?.querySelector<HTMLElement>(isOpening ? 'input' : 'button')?.focus();
  };
  if (understood === undefined) return null;
  return (
    <div ref={place} className="understood">
      <p className="small">
        {isNothing ? <b>{field.unknown}.</b> : <span>Made: {understood.join(', ')}.</span>}{' '}
        {notDrawn.length > 0 && <span className="not-drawn">Not drawn: {notDrawn.join(', ')}.</span>}{' '}
        {canRedo && !isOpen && (
          <button type="button" className="textlink" onClick={() => turn(true)}>
            Change the words, free
          </button>
        )}
      </p>
      {canRedo && isOpen && (
        <ChangeWords
          field={field}
          words={words}
          triesLeft={redosLeft}
          isBusy={isBusy}
          onWords={(prompt) => onRedo({ prompt })}
          onClose={() => turn(false)}
        />
      )}
    </div>
  );
}

type ChangeWordsProps = {
  field: TextField;
  words: string;
  triesLeft: number;
  isBusy: boolean;
  onWords: (words: string) => void;
  onClose: () => void;
};

function ChangeWords({ field, words, triesLeft, isBusy, onWords, onClose }: ChangeWordsProps) {
  const id = useId();
  const isOnline = useOnline();
  const [text, setText] = useState(words);
  const isReady = text.trim() !== '' && text.trim() !== words.trim();
  return (
    <form
      className="change-words"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && isOnline) onWords(text);
      }}
    >
      <label className="sr-only" htmlFor={id}>
        {field.label}, other words
      </label>
      <input
        id={id}
        className="input"
        value={text}
        maxLength={field.maxLength}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {field.hasScenes && <SceneStrip value={text} isLocked={isBusy} onPick={setText} />}
      <div className="second-tries">
        <Button
          type="submit"
          cost={`free, ${triesLeft} left`}
          busy={isBusy && 'Sending...'}
          disabled={!isReady || !isOnline}
        >
          Make it
        </Button>
        <Button look="bare" onClick={onClose}>
          Keep this one
        </Button>
      </div>
    </form>
  );
}
