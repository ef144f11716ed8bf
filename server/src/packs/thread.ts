import type { PackId } from '@plinth/contract/pack-names';
import { type PackFigures, packs } from '@plinth/contract/packs';
import { type Measures, measurePicture, makeEngineCopy } from './measure.ts';
import { measureSubject, previewPack, renderPack, renderShadowCaster, type RenderOptions } from './render.ts';

/** The jobs of the worker threads in `threads.ts`, by name. */

/** A pack's file, or a packshot without a pack. */
export type RenderJob = { content: Uint8Array; pack: PackId | null } & RenderOptions;

const withPack =
  <Made>(make: (content: Uint8Array, pack: PackFigures | null, options: RenderOptions) => Promise<Made>) =>
  ({ content, pack, ...options }: RenderJob): Promise<Made> =>
    make(content, pack && packs[pack], options);

export const render = withPack(renderPack);

export const preview = withPack(previewPack);

export const shadowCaster = withPack(renderShadowCaster);

export const subject = measureSubject;

export const engineCopy = makeEngineCopy;

export const measure = (job: { content: Uint8Array; mask: Uint8Array | undefined }): Promise<Measures> =>
  measurePicture(job.content, job.mask);
