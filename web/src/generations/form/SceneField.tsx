import { countCharacters } from '@plinth/contract/limits';
import type { TextField } from '@plinth/contract/tool';
import { formatCount } from '../../ui/format.ts';
import { SceneStrip } from './SceneStrip.tsx';
import { useScenes } from './useScenes.ts';
import type { WordsProps } from './WordsField.tsx';

/** A description in the seller's own words. Green once it has content; blanks do not count. */
export function SceneField({ name, field, value, isLocked, errorId, onChange }: WordsProps<TextField>) {
  const id = `field-${name}`;
  const isFilled = value.trim() !== '';
  const length = countCharacters(value);
  // If scenes are offered as pictures, no example texts are offered.
  const { scenes, isPending } = useScenes(field.hasScenes);
  const suggestions = isPending || scenes.length > 0 ? [] : field.suggestions;
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
      {field.hasScenes && <SceneStrip value={value} isLocked={isLocked} onPick={onChange} />}
    </div>
  );
}
