import type { PackId } from '@plinth/contract/pack-names';
import { type PackFigures, packs } from '@plinth/contract/packs';
import { type Measures, measurePicture, showPicture } from './measure.ts';
import { measureSubject, previewPack, renderPack, standProduct, type Wish } from './render.ts';

/** The jobs of the worker threads in `threads.ts`, by name. */

/** A pack's file, or a packshot without a pack. */
export type ToRender = { content: Uint8Array; pack: PackId | null; wish: Wish };

const byName =
  <Made>(make: (content: Uint8Array, pack: PackFigures | null, wish: Wish) => Promise<Made>) =>
  ({ content, pack, wish }: ToRender): Promise<Made> =>
    make(content, pack && packs[pack], wish);

export const render = byName(renderPack);

export const preview = byName(previewPack);

export const stand = byName(standProduct);

export const subject = measureSubject;

export const show = showPicture;

export const measure = (given: { content: Uint8Array; mask: Uint8Array | undefined }): Promise<Measures> =>
  measurePicture(given.content, given.mask);
