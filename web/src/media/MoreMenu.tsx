import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import type { Media } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { canCopyPictures, copyPicture } from './download.ts';

type MoreMenuProps = { media: Media; label: string; onDelete: () => void; children?: ReactNode };

export function MoreMenu({ media, label, onDelete, children }: MoreMenuProps) {
  const api = useApi();
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass({ look: 'borderless', square: true })} aria-label={label}>
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" sideOffset={6} align="end">
          <Menu.Popup className="popup">
            {!media.contentType.startsWith('video/') && canCopyPictures() && (
              <Menu.Item className="popup-item" onClick={() => void copyPicture(api, media.contentUrl)}>
                <Icon name="copy" />
                <span className="grows">Copy</span>
              </Menu.Item>
            )}
            {children}
            <Menu.Item className="popup-item danger" onClick={onDelete}>
              <Icon name="trash" />
              <span className="grows">Delete</span>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
