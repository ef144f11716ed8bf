import { useContext } from 'react';
import { sentences } from '@plinth/contract/errors';
import { headshotModelSchema } from '@plinth/contract/generations';
import { pageSchema } from '@plinth/contract/paging';
import type { ModelField } from '@plinth/contract/tool';
import { useAnswer } from '../../platform/useAnswer.ts';
import { Icon } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ToolInUseContext } from '../useTool.ts';
import { isBuiltIn } from '../useTools.ts';
import type { WordsProps } from './WordsField.tsx';

const page = pageSchema(headshotModelSchema);
const SKELETONS = 8;
const WAITING = (
  <div className="models" aria-busy="true">
    {Array.from({ length: SKELETONS }, (_none, at) => (
      <span key={at} className="skeleton" />
    ))}
  </div>
);

export function ModelPicker({ name, field, value, isLocked, errorId, onChange }: WordsProps<ModelField>) {
  const models = useAnswer(['headshot-models'], '/api/v1/headshot-models', page, {
    select: ({ items }) => items,
    staleTime: 60_000,
  });
  const chosen = models.data?.find(({ id }) => id === value);
  // The built-in engine uses only a portrait's studio.
  const isStudio = isBuiltIn(useContext(ToolInUseContext)?.entry);
  const nameOf = (portrait: string) => (isStudio ? `Studio of “${portrait}”` : portrait);
  return (
    <div
      className="field"
      role="radiogroup"
      aria-required="true"
      aria-labelledby={`field-${name}-label`}
      aria-describedby={errorId}
      data-field={name}
    >
      <div className="label">
        <span className="one-line" id={`field-${name}-label`}>
          {field.label}
        </span>
        <span className={chosen ? 'caption in-line is-good' : 'caption'}>
          {chosen && <Icon name="check" size={14} />}
          {chosen ? `${nameOf(chosen.name)} chosen` : 'Required'}
        </span>
      </div>
      {isStudio && (
        <p className="field-hint">Your own head, hair and clothes stay. The studio of the portrait comes behind you.</p>
      )}
      <Loaded query={models} failed={sentences.modelsLoadFailed} waiting={WAITING}>
        {(all) => (
          <div className="models">
            {all.map(({ id, name: person, imageUrl }) => (
              <label key={id} className="frame pickable">
                <input
                  type="radio"
                  className="laid-over"
                  name={`field-${name}`}
                  value={id}
                  checked={id === value}
                  disabled={isLocked}
                  onChange={() => onChange(id)}
                />
                <img src={imageUrl} alt={nameOf(person)} width={96} height={120} loading="lazy" decoding="async" />
              </label>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}
