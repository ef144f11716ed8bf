import sharp from 'sharp';
import { listPlates, platePath } from './plates.ts';

const THUMBNAIL_SIDE = 320; // px
const QUALITY = 78;

/** The engine's own scenes as a person picks them: each with English words that lead to exactly this one. */
export function listScenes(): { id: string; words: string }[] {
  return listPlates();
}

const thumbnails = new Map<string, Promise<Buffer>>();

/** A small WebP of the empty scene, made once; undefined for an id that is no scene. */
export function findThumbnail(id: string): Promise<Buffer> | undefined {
  if (!listPlates().some((scene) => scene.id === id)) return undefined;
  const known = thumbnails.get(id) ?? makeThumbnail(id);
  thumbnails.set(id, known);
  return known;
}

function makeThumbnail(id: string): Promise<Buffer> {
  return sharp(platePath(id)).resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE).webp({ quality: QUALITY }).toBuffer();
}
