import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select } from '@base-ui/react/select';
import type { ChoiceField as ChoiceFieldEntry } from '@plinth/contract/tool';
import { Icon } from '../../ui/icons.tsx';

type ChoiceFieldProps = {
  name: string;
  field: ChoiceFieldEntry;
  value: string;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (value: string) => void;
};

/** One of a few; something is always chosen. */
export function ChoiceField({ name, field, value, isLocked, errorId, onChange }: ChoiceFieldProps) {
  const id = `field-${name}`;
  const instead = field.instead?.[value];
  return (
    <div className="field" data-field={name}>
      <span className="label" id={`${id}-label`}>
        {field.label}
      </span>
      <CSPProvider disableStyleElements>
        <Select.Root
          items={field.options}
          value={value}
          disabled={isLocked}
          onValueChange={(chosen) => onChange(chosen ?? '')}
        >
          <Select.Trigger
            id={id}
            className="input select"
            aria-labelledby={`${id}-label ${id}`}
            aria-invalid={errorId !== undefined ? true : undefined}
            aria-describedby={errorId ?? (instead && `${id}-instead`)}
          >
            <Select.Value />
            <Icon name="down" />
          </Select.Trigger>
          <Select.Portal>
            <Select.Positioner className="positioner" sideOffset={6} alignItemWithTrigger={false}>
              <Select.Popup className="popup select-popup">
                {field.options.map((option) => (
                  <Select.Item key={option.value} value={option.value} className="popup-item">
                    <Select.ItemText className="grow">{option.label}</Select.ItemText>
                    <Select.ItemIndicator>
                      <Icon name="check" />
                    </Select.ItemIndicator>
                  </Select.Item>
                ))}
              </Select.Popup>
            </Select.Positioner>
          </Select.Portal>
        </Select.Root>
      </CSPProvider>
      {instead && (
        <span className="hint" id={`${id}-instead`} role="status">
          {instead}
        </span>
      )}
    </div>
  );
}
