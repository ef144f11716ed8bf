import { mediaSchema, previewUrl } from '@plinth/contract/media';
import type { Tool } from '@plinth/contract/tool';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { type ToolId, tools } from '@plinth/contract/tools';
import type { Api } from '../platform/api.ts';
import { fingerprintForm, type PickedImage } from './drafts.ts';
import { hasSamePictures } from './form-fingerprint.ts';
import { changeStage, isUnderWay, readDraft, readStage, useMemory } from './memory.ts';
import { putPhoto } from './pick-photo.ts';

/** Puts a photo from another screen into a form. The stage then shows this photo's last result, or none. */
export function handPhoto(toolId: ToolId, image: PickedImage): void {
  const tool: Tool = tools[toolId];
  putPhoto(toolId, mainPictureField(tool), image);
  if (isUnderWay(toolId)) return;
  const { followed, made } = useMemory.getState();
  const now = fingerprintForm(tool, readDraft(toolId));
  const isOfIt = (id: string) => made[id] !== undefined && hasSamePictures(tool, made[id], now);
  // After a reload the result on the stage may not be loaded yet.
  if (isOfIt(readStage(toolId).shown ?? '')) return;
  const last = followed.find((one) => one.tool === toolId && isOfIt(one.id));
  changeStage(toolId, { shown: last?.id ?? null, row: last === undefined ? [] : [last.id] });
}

/** Puts an earlier result into a form, without an upload. @throws ApiError if it cannot be read */
export async function handResult(api: Api, toolId: ToolId, mediaId: string, isForExport: boolean): Promise<void> {
  const encoded = encodeURIComponent(mediaId);
  const [{ id, originalFilename, width, height }, preview] = await Promise.all([
    api.send(`/api/v1/media/${encoded}`, mediaSchema),
    api.file(previewUrl(encoded, 1280)),
  ]);
  const file = new File([preview], originalFilename, { type: preview.type });
  handPhoto(toolId, { file, width, height, mediaId: id, isForExport });
}
