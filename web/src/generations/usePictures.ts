import { useState } from 'react';
import { sentences } from '@plinth/contract/errors';
import type { Media } from '@plinth/contract/media';
import type { ImageField, Tool } from '@plinth/contract/tool';
import { say } from '../ui/toast.tsx';
import { checkImage, type Checked, type PickedImage } from './check-image.ts';
import { makeSquare } from './make-square.ts';

export type Pictures = {
  /** Field that is being read now. */
  reading: string | null;
  /** Why the last file of a field was not taken. */
  refusals: Readonly<Record<string, string>>;
  take: (fieldName: string, file: File, isSample?: boolean) => void;
  /** Takes an earlier result, which is already on the server; only its preview comes here. */
  takeMedia: (fieldName: string, media: Media, preview: Blob) => void;
};

/** The checked picture, made square where the tool wants it. */
async function prepare(file: File, field: ImageField): Promise<Checked> {
  const checked = await checkImage(file, field);
  if (checked.image === null || field.prepare !== 'square') return checked;
  try {
    return { image: await makeSquare(checked.image), refusal: null };
  } catch {
    return { image: null, refusal: sentences.processFailed };
  }
}

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
    const { image, refusal } = await prepare(file, field);
    setReading(null);
    setRefusals(({ [name]: _old, ...rest }) => (refusal === null ? rest : { ...rest, [name]: refusal }));
    if (image === null) return say.wrong(refusal, { id: `file-${name}` });
    say.noMore(`file-${name}`);
    setField(name, isSample ? { ...image, isSample } : image);
  };
  const readMedia = async (name: string, media: Media, preview: Blob) => {
    const field = tool.fields[name];
    if (field?.kind !== 'image') return;
    work.clearRefusal();
    const file = new File([preview], media.originalFilename, { type: preview.type });
    const shown = { file, width: media.width, height: media.height };
    const image = field.prepare === 'square' ? await makeSquare(shown).catch(() => shown) : shown;
    setRefusals(({ [name]: _old, ...rest }) => rest);
    say.noMore(`file-${name}`);
    setField(name, { ...image, mediaId: media.id });
  };
  return {
    reading,
    refusals,
    takeMedia: (...media) => void readMedia(...media),
    take: (name, file, isSample = false) => void read(name, file, isSample),
  };
}
