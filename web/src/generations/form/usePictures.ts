import { useState } from 'react';
import type { Media } from '@plinth/contract/media';
import type { Tool } from '@plinth/contract/tool';
import { say } from '../../ui/toast.tsx';
import { checkImage, type PickedImage } from '../check-image.ts';
import type { Pictures } from '../useToolInUse.ts';

/** Checks files before they enter the form. A refused file leaves the picture before it where it is. */
export function usePictures(
  tool: Tool,
  setField: (name: string, value: PickedImage) => void,
  work: { clearRefusal: () => void },
): Pictures {
  const [reading, setReading] = useState<string | null>(null);
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({});

  const read = async (name: string, file: File, isSample: boolean) => {
    const field = tool.fields[name];
    if (field?.kind !== 'image') return;
    setReading(name);
    work.clearRefusal();
    const { image, refusal } = await checkImage(file, field);
    setReading(null);
    setRefusals(({ [name]: _old, ...rest }) => (refusal === null ? rest : { ...rest, [name]: refusal }));
    if (image === null) return say.wrong(refusal, { id: `file-${name}` });
    say.noMore(`file-${name}`);
    setField(name, isSample ? { ...image, isSample } : image);
  };
  const readMedia = (name: string, media: Media, preview: Blob) => {
    const field = tool.fields[name];
    if (field?.kind !== 'image') return;
    work.clearRefusal();
    const file = new File([preview], media.originalFilename, { type: preview.type });
    const shown = { file, width: media.width, height: media.height };
    setRefusals(({ [name]: _old, ...rest }) => rest);
    say.noMore(`file-${name}`);
    setField(name, { ...shown, mediaId: media.id });
  };
  return {
    reading,
    refusals,
    takeMedia: readMedia,
    take: (name, file, isSample = false) => void read(name, file, isSample),
  };
}
