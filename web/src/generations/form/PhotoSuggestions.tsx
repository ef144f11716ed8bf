import type { ReactNode } from 'react';
import type { ImageField } from '@plinth/contract/tool';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { useNow } from '../../platform/clock.ts';
import { useOnline } from '../../platform/online.ts';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { listUploads, type Upload, useMemory } from '../memory.ts';

type PhotoSuggestionsProps = {
  field: ImageField;
  isLocked: boolean;
  onFile: (file: File | Promise<File>, isSample?: boolean) => void;
};

export function PhotoSuggestions({ field, isLocked, onFile }: PhotoSuggestionsProps) {
  const isOnline = useOnline();
  const uploads = useMemory((memory) => memory.uploads);
  const since = useNow(60_000) - MEDIA_TTL_SECONDS * 1000;
  const isUsable = ({ file, addedAt }: Upload) => addedAt > since && field.accept.some((type) => type === file.type);
  const usable = listUploads(uploads).filter(isUsable);
  return (
    <>
      <Thumbs says="Recent uploads">
        {usable.map(({ id, file }) => (
          <button
            key={id}
            type="button"
            disabled={isLocked}
            aria-label={`Use ${file.name}`}
            onClick={() => onFile(file)}
          >
            <BlobImage className="thumb" blob={file} alt="" width={44} height={44} />
          </button>
        ))}
      </Thumbs>
      <Thumbs says="Try a sample">
        {field.samples.map((sample) => (
          <button
            key={sample}
            type="button"
            disabled={isLocked || !isOnline}
            aria-label={`Use the sample ${sample.replaceAll('-', ' ')}`}
            onClick={() => onFile(fetchSample(sample), true)}
          >
            {isOnline ? (
              <img className="thumb" src={`/samples/${sample}-thumb.webp`} alt="" width={44} height={44} />
            ) : (
              <span className="thumb" />
            )}
          </button>
        ))}
      </Thumbs>
    </>
  );
}

function Thumbs({ says, children }: { says: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div className="in-line">
      <span className="caption grows">{says}</span>
      {children}
    </div>
  );
}

/** A failed request gives an empty file, which is refused like any other. */
async function fetchSample(sample: string): Promise<File> {
  const blob = await fetch(`/samples/${sample}.jpg`)
    .then((response) => (response.ok ? response.blob() : new Blob()))
    .catch(() => new Blob());
  return new File([blob], `${sample}.jpg`, { type: 'image/jpeg' });
}
