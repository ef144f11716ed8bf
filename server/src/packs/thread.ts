import { type PackId, packs, PACK_PREVIEW_WIDTH, type RefusedPacks } from '@plinth/contract/packs';
import { type Measures, measurePicture, type Shown, showPicture } from './measure.ts';
import { findRefusedPacks, previewPack, type Rendered, renderPack } from './render.ts';

/** What the threads of `threads.ts` do, by name. */

export const render = ({ content, pack }: { content: Uint8Array; pack: PackId }): Promise<Rendered> =>
  renderPack(content, packs[pack]);

export const preview = ({ content, pack }: { content: Uint8Array; pack: PackId }): Promise<Rendered> =>
  previewPack(content, packs[pack], PACK_PREVIEW_WIDTH);

export const refuse = ({ content }: { content: Uint8Array }): Promise<RefusedPacks> => findRefusedPacks(content);

export const show = ({ content }: { content: Uint8Array }): Promise<Shown> => showPicture(content);

export const measure = (given: { content: Uint8Array; mask: Uint8Array | undefined }): Promise<Measures> =>
  measurePicture(given.content, given.mask);
