import { useRef, useState } from 'react';
import type { Media } from '@plinth/contract/media';
import type { Tool } from '@plinth/contract/tool';
import { say } from '../ui/above/toast.tsx';
import type { ToolId } from '@plinth/contract/tools';
import { checkImage, type PickedImage } from './check-image.ts';
import { clearRefusal, setField } from './memory.ts';

/** Checks files before they enter the form. A refused file leaves the picture before it where it is. */
export function usePictures(toolId: ToolId, tool: Tool) {
  const [reading, setReading] = useState<string | null>(null);
  /** What is being read for each field: what was chosen last counts, however late another one is read. */
  const awaited = useRef(new Map<string, unknown>());
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({});

  const stopReading = (name: string) => {
    awaited.current.delete(name);
    setReading((now) => (now === name ? null : now));
  };
  const put = (name: string, image: PickedImage) => {
    setRefusals(({ [name]: _old, ...rest }) => rest);
    say.noMore(`file-${name}`);
    setField(toolId, name, image);
  };
  const read = async (name: string, file: File | Promise<File>, isSample: boolean) => {
    const field = tool.fields[name];
    if (field?.kind !== 'image') return;
    awaited.current.set(name, file);
    setReading(name);
    clearRefusal(toolId);
    const { image, refusal } = await checkImage(await file, field);
    if (awaited.current.get(name) !== file) return;
    stopReading(name);
    if (image !== null) return put(name, isSample ? { ...image, isSample } : image);
    setRefusals((others) => ({ ...others, [name]: refusal }));
    say.wrong(refusal, { id: `file-${name}` });
  };
  const takeMedia = (name: string, { id, originalFilename, width, height }: Media, preview: Blob) => {
    if (tool.fields[name]?.kind !== 'image') return;
    stopReading(name);
    clearRefusal(toolId);
    put(name, { file: new File([preview], originalFilename, { type: preview.type }), width, height, mediaId: id });
  };
  return {
    reading,
    refusals,
    takeMedia,
    remove: (name: string) => {
      stopReading(name);
      clearRefusal(toolId);
      setField(toolId, name, null);
    },
    take: (name: string, file: File | Promise<File>, isSample = false) => void read(name, file, isSample),
  };
}
