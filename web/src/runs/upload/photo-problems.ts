import { errors } from '@plinth/contract/errors';
import { countCharacters, PROMPT_MAX_LENGTH } from '@plinth/contract/limits';
import { isSku } from '@plinth/contract/runs';
import type { ImageField } from '@plinth/contract/tool';
import { refuseFile } from '../../platform/picture-file.ts';
import type { Photo } from '../photos.ts';

type Chosen = Pick<Photo, 'id' | 'name' | 'type' | 'bytes' | 'sku' | 'words'>;
type Problem = { says: string; about: 'file' | 'sku' | 'words' };

/** What has to be mended before a catalogue begins, by photo. Whether a file can be read only the server says. */
export function findPhotoProblems(photos: readonly Chosen[], field: ImageField, hasWords: boolean) {
  const owners = new Map<string, string>();
  const problems = new Map<string, Problem>();
  for (const photo of photos) {
    const refusal = refuseFile({ type: photo.type, size: photo.bytes }, field);
    const owner = owners.get(photo.sku);
    if (refusal !== null) problems.set(photo.id, { says: refusal, about: 'file' });
    else if (photo.sku !== '' && !isSku(photo.sku))
      problems.set(photo.id, { says: errors.sku_invalid.detail, about: 'sku' });
    else if (photo.sku !== '' && owner !== undefined)
      problems.set(photo.id, { says: `${owner} has this SKU, too.`, about: 'sku' });
    else if (hasWords && countCharacters(photo.words) > PROMPT_MAX_LENGTH)
      problems.set(photo.id, { says: errors.prompt_too_long.detail, about: 'words' });
    if (!owners.has(photo.sku)) owners.set(photo.sku, photo.name);
  }
  return problems;
}
