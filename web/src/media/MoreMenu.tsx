import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { Media } from '@plinth/contract/media';
import { nameTool, tools, type ToolId } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuAction, MenuFrame, type Shortcuts } from '../ui/above/MenuFrame.tsx';
import { canCopyPictures, copyPicture } from './download.ts';

type MoreMenuProps = {
  media: Media;
  label: string;
  shortcuts?: Shortcuts;
  onDelete: () => void;
  children?: ReactNode;
};

export function MoreMenu({ media, label, shortcuts, onDelete, children }: MoreMenuProps) {
  const api = useApi();
  const canCopy = !media.contentType.startsWith('video/') && canCopyPictures();
  return (
    <MenuFrame
      trigger={<Icon name="more" />}
      className={buttonClass({ look: 'borderless', square: true })}
      label={label}
      {...(shortcuts && { shortcuts })}
    >
      {canCopy && <MenuAction icon="copy" name="Copy" onPick={() => void copyPicture(api, media.contentUrl)} />}
      {children}
      <MenuAction isDanger icon="trash" name="Delete" onPick={onDelete} />
    </MenuFrame>
  );
}

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
