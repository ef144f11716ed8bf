import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { nameTool, toolIds, tools, type ToolId } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { buttonClass } from '../../ui/button-class.ts';
import { Icon } from '../../ui/icons.tsx';

/** Tools that take one product and nothing else beside its words. */
const productTools: readonly ToolId[] = toolIds.filter((id) => {
  const { fields, shows }: Tool = tools[id];
  const kinds = Object.values(fields).map(({ kind }) => kind);
  return shows.kind !== 'cutout' && kinds.filter((kind) => kind === 'image').length === 1 && !kinds.includes('model');
});

/** Hands a cut-out to another tool. It never leaves the server, so its size does not matter. */
export function UseInMenu({ mediaId }: { mediaId: string }) {
  const navigate = useNavigate();
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass({ look: 'quiet' })}>
        Use this cut-out in…
        <Icon name="down" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" sideOffset={6} align="start">
          <Menu.Popup className="popup">
            {productTools.map((id) => (
              <Menu.Item
                key={id}
                className="popup-item"
                onClick={() => void navigate({ to: `/dashboard/${id}`, search: { photo: mediaId } })}
              >
                <Icon name={tools[id].icon} />
                <span className="grow">{nameTool(tools[id])}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
