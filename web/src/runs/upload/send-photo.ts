import { runItemSchema, type RunItem } from '@plinth/contract/runs';
import type { Api } from '../../platform/api.ts';
import type { OnSent } from '../../platform/upload.ts';
import type { Photo } from '../photos.ts';

/** Sends one photo of a run. Its id is the idempotency key: sent again, it is the same item. */
export function sendPhoto(api: Api, photo: Photo, file: Blob, onSent: OnSent): Promise<RunItem> {
  const form = new FormData();
  if (photo.sku !== '') form.append('sku', photo.sku);
  if (photo.words.trim() !== '' && photo.wordsField !== null) form.append(photo.wordsField, photo.words.trim());
  for (const [name, text] of Object.entries(photo.facts ?? {})) form.append(name, text);
  // The type found in its bytes; the system may have given another.
  form.append('image', new Blob([file], { type: photo.type }), photo.name);
  return post(api, photo.runId, form, photo.id, onSent);
}

export type Replacement = { runId: string; item: RunItem; file: File };

/** Sends a replacement for a photo that failed. Its own words stay. */
export function sendReplacement(api: Api, { runId, item, file }: Replacement, key: string): Promise<RunItem> {
  const form = new FormData();
  form.append('replaces', item.id);
  for (const [field, words] of Object.entries(item.generation.input ?? {})) form.append(field, words);
  form.append('image', file);
  return post(api, runId, form, key);
}

function post(api: Api, runId: string, form: FormData, idempotencyKey: string, onSent?: OnSent): Promise<RunItem> {
  const sent = { method: 'POST', form, idempotencyKey, ...(onSent && { onSent }) };
  return api.send(`/api/v1/runs/${runId}/items`, runItemSchema, sent);
}
