import type { ReactNode } from 'react';
import type { Media } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuAction, MenuFrame } from '../ui/above/MenuFrame.tsx';
import { canCopyPictures, copyPicture } from './download.ts';

type MoreMenuProps = { media: Media; label: string; onDelete: () => void; children?: ReactNode };

export function MoreMenu({ media, label, onDelete, children }: MoreMenuProps) {
  const api = useApi();
  const canCopy = !media.contentType.startsWith('video/') && canCopyPictures();
  return (
    <MenuFrame
      trigger={<Icon name="more" />}
      className={buttonClass({ look: 'borderless', square: true })}
      label={label}
    >
      {canCopy && <MenuAction icon="copy" name="Copy" onPick={() => void copyPicture(api, media.contentUrl)} />}
      {children}
      <MenuAction isDanger icon="trash" name="Delete" onPick={onDelete} />
    </MenuFrame>
  );
}
