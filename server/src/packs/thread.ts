import type { PackId } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import { type Measures, measurePicture, showPicture } from './measure.ts';
import {
  measureSubject,
  previewPack,
  previewPackshot,
  type Rendered,
  renderPack,
  renderPackshot,
  standProduct,
  type Wish,
} from './render.ts';

/** What the threads of `threads.ts` do, by name. */

/** A pack's file, or a packshot where no pack is named. */
export type ToRender = { content: Uint8Array; pack: PackId | null; wish: Wish };

export const render = (given: ToRender): Promise<Rendered> => make(given, renderPack, renderPackshot);

export const preview = (given: ToRender): Promise<Rendered> => make(given, previewPack, previewPackshot);

function make(
  { content, pack, wish }: ToRender,
  makePack: typeof renderPack,
  makePackshot: typeof renderPackshot,
): Promise<Rendered> {
  if (pack !== null) return makePack(content, packs[pack], wish);
  if (wish.look === null) throw new Error('a packshot without a look');
  return makePackshot(content, wish.look, wish);
}

export const stand = ({ content, pack, wish }: ToRender): ReturnType<typeof standProduct> =>
  standProduct(content, pack === null ? null : packs[pack], wish);

export const subject = measureSubject;

export const show = showPicture;

export const measure = (given: { content: Uint8Array; mask: Uint8Array | undefined }): Promise<Measures> =>
  measurePicture(given.content, given.mask);
