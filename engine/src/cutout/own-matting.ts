/** Our own network as a matting. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { squeezeRgb } from '../pixels/decode.ts';
import { once } from '../once.ts';
import type { Rgb } from '../pixels/plane.ts';
import { cardShape } from './card.ts';
import { makeMatting } from './find-product.ts';
import type { Marks } from './marks.ts';
import type { Matting, Subject } from './matting.ts';
import { checkAlpha, openByCard, readPlanes } from './network-file.ts';
import type { Network } from './passes.ts';
import { boxOf, findSubject } from './subject.ts';

const CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));
const MAX_CACHED = 4; // entries of 2 MB: the browser asks about a photo before the job arrives

/** `prepare` loads the network ahead of time; a failure is thrown by the first picture that needs it. */
export type OwnMatting = Matting & { prepare: () => Promise<void> };

/** Makes a matting that loads its network once, with `prepare` or the first picture. */
export function makeOwnMatting(card = CARD): OwnMatting {
  const getNetwork = once(() => loadNetwork(card));
  const detect = cacheLast(async (picture, marks) => findSubject(await getNetwork(), picture, marks));
  return {
    prepare: async () => void (await getNetwork().catch(() => undefined)),
    ...makeMatting((picture, marks) => acceptConfirmed(detect, picture, marks)),
  };
}

/** The candidate's own box as the only mark confirms it: it is returned as shown, without a new detection. */
async function acceptConfirmed(detect: Matting['detect'], picture: Rgb, marks: Marks | undefined): Promise<Subject> {
  if (!marks?.box || marks.keep || marks.drop) return detect(picture, marks);
  const found = await detect(picture);
  const isConfirmed = String(boxOf(found.alpha)) === String(marks.box);
  return isConfirmed ? { ...found, isSure: true } : detect(picture, marks);
}

/** Shared by the whole process. */
export const ownMatting = makeOwnMatting();

/** Caches the last MAX_CACHED results by pixels and marks. */
export function cacheLast(detect: Matting['detect']): Matting['detect'] {
  const cache = new Map<string, Subject>();
  return async (picture: Rgb, marks?: Marks) => {
    const { width, height, data } = picture;
    const key = createHash('sha256')
      .update(JSON.stringify([width, height, marks ?? null]))
      .update(data)
      .digest('base64');
    const subject = cache.get(key) ?? (await detect(picture, marks));
    cache.delete(key);
    cache.set(key, subject);
    for (const oldest of cache.keys()) if (cache.size > MAX_CACHED) cache.delete(oldest);
    return subject;
  };
}

/** Loads the network of the card at this path. A worker uses one session for its lifetime. @throws BadNetwork */
async function loadNetwork(cardPath: string): Promise<Network> {
  const { card, run } = await openByCard(cardPath, cardShape);
  return {
    card,
    squeeze: squeezeRgb,
    async infer(image, marks, { width, height }) {
      const size = { width, height };
      const { alpha } = await run({ image, marks }, size, 'alpha');
      const data = readPlanes(alpha, 1, size);
      checkAlpha(data);
      return { width, height, data };
    },
  };
}
