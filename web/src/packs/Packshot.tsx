import { useState } from 'react';
import { packshotUrl } from '@plinth/contract/looks';
import { sentences } from '@plinth/contract/errors';
import { LookEditor } from '../looks/LookEditor.tsx';
import { LookSelect } from '../looks/LookSelect.tsx';
import { downloadMedia } from '../media/download.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';

type PackshotProps = { mediaId: string; lookId: string | null; onChoose: (lookId: string | null) => void };

/** The look of all files of a cut-out, and the packshot that shows it whole. */
export function Packshot({ mediaId, lookId, onChoose }: PackshotProps) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const packshot = { downloadUrl: packshotUrl(mediaId, lookId), originalFilename: 'packshot' };
  return (
    <section className="packshot" aria-label="Look">
      {isOpen ? (
        <LookEditor lookId={lookId} mediaId={mediaId} onChoose={onChoose} />
      ) : (
        <LookSelect value={lookId} onChange={onChoose} />
      )}
      <div className="packshot-acts">
        <Button aria-expanded={isOpen} icon={<Icon name="brush" />} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close looks' : 'Shadow, margins, canvas'}
        </Button>
        <Button
          icon={<Icon name="download" />}
          onClick={() => void downloadMedia(api, packshot, sentences.downloadMediaFailed)}
        >
          Packshot
        </Button>
      </div>
    </section>
  );
}
