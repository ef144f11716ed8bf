import { Menu } from '@base-ui/react/menu';
import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { PhotoWays } from '../../media/PhotoWays.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { Icon } from '../../ui/icons.tsx';

const productTools: readonly ToolId[] = toolIds.filter((id) => {
  const { fields, shows }: Tool = tools[id];
  const kinds = Object.values(fields).map(({ kind }) => kind);
  return shows.kind !== 'cutout' && kinds.filter((kind) => kind === 'image').length === 1 && !kinds.includes('model');
});

export function UseInMenu({ mediaId }: { mediaId: string }) {
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass({ look: 'quiet' })}>
        Use this cut-out in…
        <Icon name="down" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" sideOffset={6} align="start">
          <Menu.Popup className="popup">
            <PhotoWays mediaId={mediaId} toolIds={productTools} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
