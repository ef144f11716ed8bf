import { useNavigate } from '@tanstack/react-router';
import { nameTool, tools, type ToolId } from '@plinth/contract/tools';
import { MenuAction } from '../ui/above/MenuFrame.tsx';

/** Menu items that use a result as the photo of a tool. It is not downloaded, whatever its size. */
export function PhotoWays({ mediaId, toolIds }: { mediaId: string; toolIds: readonly ToolId[] }) {
  const navigate = useNavigate();
  return toolIds.map((id) => (
    <MenuAction
      key={id}
      icon={tools[id].icon}
      name={nameTool(tools[id])}
      onPick={() => void navigate({ to: `/dashboard/${id}`, search: { photo: mediaId } })}
    />
  ));
}
