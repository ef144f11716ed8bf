import { useState } from 'react';
import { type LookSettings, lookSettingsSchema, packshotUrl, standardLook } from '@plinth/contract/looks';
import { LookEditor } from '../looks/LookEditor.tsx';
import { LookSelect } from '../looks/LookSelect.tsx';
import { useLooks } from '../looks/useLooks.ts';
import { downloadMedia } from '../media/download.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';

type PackshotProps = { mediaId: string; lookId: string | null; onChoose: (lookId: string | null) => void };

export function Packshot({ mediaId, lookId, onChoose }: PackshotProps) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const [unsaved, setUnsaved] = useState<LookSettings | null>(null);
  const chosen = useLooks()?.find(({ id }) => id === lookId);
  const settings = unsaved ?? lookSettingsSchema.parse(chosen ?? standardLook);
  const choose = (id: string | null) => {
    setUnsaved(null);
    onChoose(id);
  };
  const toggle = () => {
    setUnsaved(null);
    setOpen(!isOpen);
  };
  const download = () => {
    void downloadMedia(api, { downloadUrl: packshotUrl(mediaId, settings), originalFilename: 'packshot' });
  };
  return (
    <section className="packshot stack" aria-label="Look">
      {isOpen ? (
        <LookEditor lookId={lookId} mediaId={mediaId} onChoose={choose} onChange={setUnsaved} />
      ) : (
        <LookSelect value={lookId} onChange={choose} />
      )}
      <div className="cluster">
        <Button aria-expanded={isOpen} icon={<Icon name="brush" />} onClick={toggle}>
          {isOpen ? 'Close looks' : 'Shadow, margins, canvas'}
        </Button>
        <Button icon={<Icon name="download" />} onClick={download}>
          Packshot
        </Button>
      </div>
    </section>
  );
}
