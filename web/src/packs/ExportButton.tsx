import { useState } from 'react';
import type { ToolId } from '@plinth/contract/tools';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';

const ExportDialog = lazyPart(async () => (await import('./ExportDialog.tsx')).ExportDialog);

type ExportButtonProps = { mediaId: string; toolId: ToolId; contentType: string };

export function ExportButton({ mediaId, toolId, contentType }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (contentType.startsWith('video/')) return null;
  return (
    <>
      <Button icon={<Icon name="box" />} asksServer onClick={() => setOpen(true)}>
        Export
      </Button>
      {isOpen && <ExportDialog mediaId={mediaId} toolId={toolId} onClose={() => setOpen(false)} />}
    </>
  );
}
