import type { PackId } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import type { Tool } from '@plinth/contract/tool';
import { packsFor } from '../run-form.ts';

type PackChoiceProps = {
  tool: Tool;
  chosen: readonly PackId[];
  isLocked: boolean;
  onChange: (packs: PackId[]) => void;
};

export function PackChoice({ tool, chosen, isLocked, onChange }: PackChoiceProps) {
  const offered = packsFor(tool);
  if (offered.length === 0) return null;
  const toggle = (id: PackId) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className="field" disabled={isLocked}>
      <legend className="label">
        Files for <span className="caption">Optional, free</span>
      </legend>
      <div className="cluster">
        {offered.map((id) => (
          <label key={id} className="badge">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {packs[id].name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
