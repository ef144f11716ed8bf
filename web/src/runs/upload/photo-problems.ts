import { errors } from '@plinth/contract/errors';
import { countCharacters, PROMPT_MAX_LENGTH } from '@plinth/contract/limits';
import type { ToolEntry } from '@plinth/contract/generations';
import { isSku } from '@plinth/contract/runs';
import type { Tool } from '@plinth/contract/tool';
import { findWords, mainPictureField } from '@plinth/contract/tool-fields';
import { refuseFile, refuseSides } from '../../platform/picture-file.ts';
import type { Photo } from '../photos.ts';
import { pictureField } from '../run-form.ts';

type Chosen = Pick<Photo, 'id' | 'name' | 'type' | 'bytes' | 'size' | 'sku' | 'words'>;
type Problem = { says: string; about: 'file' | 'sku' | 'words' };

/** What has to be mended before a catalogue begins, by photo. `entry` says what serves the tool, once that is known. */
export function findPhotoProblems(photos: readonly Chosen[], tool: Tool, entry: ToolEntry | undefined) {
  const limits = entry?.fields.find(({ name }) => name === mainPictureField(tool));
  const owners = new Map<string, string>();
  const problems = new Map<string, Problem>();
  for (const photo of photos) {
    const { type, bytes, size } = photo;
    const refusal =
      refuseFile({ type, size: bytes }, pictureField(tool)) ?? (size === undefined ? null : refuseSides(size, limits));
    const owner = owners.get(photo.sku);
    if (refusal !== null) problems.set(photo.id, { says: refusal, about: 'file' });
    else if (photo.sku !== '' && !isSku(photo.sku))
      problems.set(photo.id, { says: errors.sku_invalid.detail, about: 'sku' });
    else if (photo.sku !== '' && owner !== undefined)
      problems.set(photo.id, { says: `${owner} has this SKU, too.`, about: 'sku' });
    else if (findWords(tool) !== null && countCharacters(photo.words) > PROMPT_MAX_LENGTH)
      problems.set(photo.id, { says: errors.prompt_too_long.detail, about: 'words' });
    if (!owners.has(photo.sku)) owners.set(photo.sku, photo.name);
  }
  return problems;
}
