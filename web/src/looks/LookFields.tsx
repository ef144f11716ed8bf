import type { LookSettings } from '@plinth/contract/looks';
import { clamp } from '../platform/clamp.ts';
import { InputField } from '../ui/fields/Field.tsx';
import { Segmented, type SegmentedProps } from '../ui/fields/Segmented.tsx';
import { Slider } from '../ui/fields/Slider.tsx';

type LookFieldsProps = { look: LookSettings; onChange: (part: Partial<LookSettings>) => void };

const SHADOWS = { none: 'None', contact: 'Contact', soft: 'Soft', reflection: 'Reflection' } as const;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const CANVASES = ['#ffffff', 'transparent'] as const;
const SCALES = { frame: 'Fill the frame', height: 'By height in cm' } as const;
const ALIGNS = { centre: 'Centre', foot: 'On the foot' } as const;
const MAX_MARGIN = 40;
const MIN_PX = 500;
const MAX_PX = 5000;
/** Afternoon light: warm, and visible on white. */
const OWN_CANVAS = '#f2ede4';

export function LookFields({ look, onChange }: LookFieldsProps) {
  const { shadow, shadowAngle, margin, canvas, size, scale, align } = look;
  const isOwn = canvas !== CANVASES[0] && canvas !== CANVASES[1];
  return (
    <>
      <Choice label="Shadow" names={SHADOWS} value={shadow} onChange={(one) => onChange({ shadow: one })} />
      {(shadow === 'soft' || shadow === 'contact') && (
        <Slider
          label="Light from"
          unit="°"
          min={0}
          max={345}
          step={15}
          value={shadowAngle}
          onValue={(angle) => onChange({ shadowAngle: angle })}
        />
      )}
      <Margins margin={margin} onChange={onChange} />
      <Choice
        label="Canvas"
        names={{ '#ffffff': 'White', transparent: 'Transparent', own: 'Colour' }}
        value={isOwn ? 'own' : canvas}
        onChange={(one) => onChange({ canvas: one === 'own' ? OWN_CANVAS : one })}
      />
      {isOwn && (
        <InputField
          label="Colour"
          aside={canvas}
          type="color"
          value={canvas}
          onChange={({ currentTarget }) => onChange({ canvas: currentTarget.value })}
        />
      )}
      <div className="look-pair">
        {/* Taken when it is left: while it is typed, "2000" begins with "2". */}
        <InputField
          key={size}
          label="Size"
          aside="pixels"
          type="number"
          inputMode="numeric"
          min={MIN_PX}
          max={MAX_PX}
          step={100}
          defaultValue={size}
          onBlur={({ currentTarget }) => onChange({ size: readWithin(currentTarget, MIN_PX, MAX_PX) })}
        />
        <Choice label="Stands" names={ALIGNS} value={align} onChange={(one) => onChange({ align: one })} />
      </div>
      <Choice label="Scale in a catalogue" names={SCALES} value={scale} onChange={(one) => onChange({ scale: one })} />
    </>
  );
}

function Margins({ margin, onChange }: Pick<LookSettings, 'margin'> & Pick<LookFieldsProps, 'onChange'>) {
  return (
    <fieldset className="field">
      <legend className="label">Margins, %</legend>
      <div className="look-margins">
        {SIDES.map((side) => (
          <label key={side} className="caption">
            {side}
            <input
              className="input figures"
              type="number"
              inputMode="numeric"
              min={0}
              max={MAX_MARGIN}
              value={Math.round(margin[side] * 100)}
              onChange={({ currentTarget }) =>
                onChange({ margin: { ...margin, [side]: readWithin(currentTarget, 0, MAX_MARGIN) / 100 } })
              }
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const readWithin = ({ valueAsNumber }: HTMLInputElement, min: number, max: number) =>
  Math.round(clamp(Number.isNaN(valueAsNumber) ? min : valueAsNumber, min, max));

function Choice<Value extends string>(props: SegmentedProps<Value>) {
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {props.label}
      </span>
      <Segmented {...props} className="look-choice" />
    </div>
  );
}
