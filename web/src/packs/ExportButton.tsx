import { useState } from 'react';
import type { ToolId } from '@plinth/contract/tools';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';

const ExportDialog = lazyPart(async () => (await import('./ExportDialog.tsx')).ExportDialog);

type ExportButtonProps = {
  mediaId: string;
  toolId: ToolId;
  contentType: string;
  /** True to open the dialog without a press. */
  isAsked?: boolean;
  onClose?: () => void;
};

export function ExportButton({ mediaId, toolId, contentType, isAsked = false, onClose }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (contentType.startsWith('video/')) return null;
  const close = () => {
    setOpen(false);
    onClose?.();
  };
  return (
    <>
      <Button icon={<Icon name="box" />} asksServer onClick={() => setOpen(true)}>
        Export
      </Button>
      {(isOpen || isAsked) && <ExportDialog mediaId={mediaId} toolId={toolId} onClose={close} />}
    </>
  );
}
