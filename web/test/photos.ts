import { FRESH } from '../src/runs/photo-actions.ts';
import type { Photo } from '../src/runs/photos.ts';

/** A photo of a catalogue that waits to be sent. */
export const makePhoto = (id: string, part: Partial<Photo> = {}): Photo => ({
  ...FRESH,
  id,
  runId: 'run_1',
  name: `${id}.jpg`,
  path: `${id}.jpg`,
  type: 'image/jpeg',
  bytes: 2048,
  addedAt: 1,
  ...part,
});
