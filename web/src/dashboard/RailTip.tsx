import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

export function RailTip({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger delay={300} render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner className="positioner" side="right" sideOffset={8}>
          <Tooltip.Popup className="tooltip">{label}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
