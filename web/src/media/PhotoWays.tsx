import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { nameTool, tools, type ToolId } from '@plinth/contract/tools';
import { Icon } from '../ui/icons.tsx';

/** Items of a menu that hand a result to tools as their photo. It never leaves the server, whatever its size. */
export function PhotoWays({ mediaId, toolIds }: { mediaId: string; toolIds: readonly ToolId[] }) {
  const navigate = useNavigate();
  return toolIds.map((id) => (
    <Menu.Item
      key={id}
      className="popup-item"
      onClick={() => void navigate({ to: `/dashboard/${id}`, search: { photo: mediaId } })}
    >
      <Icon name={tools[id].icon} />
      <span className="grows">{nameTool(tools[id])}</span>
    </Menu.Item>
  ));
}
