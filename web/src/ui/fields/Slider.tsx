import type { ComponentProps } from 'react';

type SliderProps = Pick<ComponentProps<'input'>, 'min' | 'max' | 'step' | 'disabled' | 'aria-label'> & {
  label: string;
  unit?: string;
  value: number;
  onValue: (value: number) => void;
};

/** A number slider between its label and its value. */
export function Slider({ label, unit, value, onValue, ...rest }: SliderProps) {
  const valueText = unit === undefined ? undefined : `${value} ${unit}`;
  return (
    <label className="slider in-line">
      <span className="caption">{label}</span>
      <input
        {...rest}
        type="range"
        value={value}
        aria-valuetext={valueText}
        onChange={({ currentTarget }) => onValue(currentTarget.valueAsNumber)}
      />
      <span className="caption figures" aria-hidden="true">
        {valueText ?? value}
      </span>
    </label>
  );
}
