import { useQuery } from '@tanstack/react-query';
import { sentences } from '@plinth/contract/errors';
import { headshotModelSchema, type HeadshotModel } from '@plinth/contract/generations';
import { pageSchema } from '@plinth/contract/paging';
import type { ModelField } from '@plinth/contract/tool';
import { useApi } from '../../platform/useApi.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Icon } from '../../ui/icons.tsx';

type ModelPickerProps = {
  name: string;
  field: ModelField;
  value: string;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (value: string) => void;
};

const page = pageSchema(headshotModelSchema);
const SKELETONS = 8;

export function ModelPicker({ name, field, value, isLocked, errorId, onChange }: ModelPickerProps) {
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
      {models.isError ? (
        <ErrorBox action={<Button onClick={() => void models.refetch()}>Try again</Button>}>
          {sentences.modelsLoadFailed}
        </ErrorBox>
      ) : (
        <div className="models" aria-busy={models.isPending}>
          {models.isPending && Array.from({ length: SKELETONS }, (_none, at) => <span key={at} className="skeleton" />)}
          {models.data?.map((model) => (
            <Choice
              key={model.id}
              model={model}
              name={name}
              isChosen={model.id === value}
              isLocked={isLocked}
              onChoose={() => onChange(model.id)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

type ChoiceProps = {
  model: HeadshotModel;
  name: string;
  isChosen: boolean;
  isLocked: boolean;
  onChoose: () => void;
};

function Choice({ model, name, isChosen, isLocked, onChoose }: ChoiceProps) {
  return (
    <label className="frame pickable">
      <input
        type="radio"
        className="laid-over"
        name={`field-${name}`}
        value={model.id}
        checked={isChosen}
        disabled={isLocked}
        onChange={onChoose}
      />
      <img src={model.imageUrl} alt={model.name} width={96} height={120} loading="lazy" decoding="async" />
    </label>
  );
}
