import { useQuery } from '@tanstack/react-query';
import { sentences } from '@plinth/contract/errors';
import { headshotModelSchema } from '@plinth/contract/generations';
import { pageSchema } from '@plinth/contract/paging';
import type { ModelField } from '@plinth/contract/tool';
import { useApi } from '../../platform/useApi.ts';
import { Icon } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
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
  const api = useApi();
  const models = useQuery({
    queryKey: ['headshot-models'],
    queryFn: async () => (await api.send('/api/v1/headshot-models', page)).items,
    staleTime: 60_000,
  });
  const chosen = models.data?.find(({ id }) => id === value);
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
          {chosen ? `${chosen.name} chosen` : 'Required'}
        </span>
      </div>
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
                <img src={imageUrl} alt={person} width={96} height={120} loading="lazy" decoding="async" />
              </label>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}
