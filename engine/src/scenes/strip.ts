import { readFile } from 'node:fs/promises';
import { listPlates } from './plates.ts';

export const THUMBNAILS = new URL('../../assets/thumbnails/', import.meta.url);

/** The engine's own scenes as a person picks them: each with English words that lead to exactly this one. */
export function listScenes(): { id: string; words: string }[] {
  return listPlates().map(({ id, says }) => ({ id, words: says }));
}

/** A small WebP of the empty scene; undefined for an id that is no scene. */
export function findThumbnail(id: string): Promise<Buffer> | undefined {
  if (!listPlates().some((scene) => scene.id === id)) return undefined;
  return readFile(new URL(`${id}.webp`, THUMBNAILS));
}
