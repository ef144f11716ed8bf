/** Our own network as a matting. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Rgb } from '../pixels/plane.ts';
import { findProduct } from './find-product.ts';
import { loadNetwork } from './load-network.ts';
import type { Marks } from './marks.ts';
import type { Matting, Subject } from './matting.ts';
import { USUAL_THREADS } from './network-file.ts';
import type { Network } from './network.ts';
import { findSubject } from './subject.ts';

const CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));
const MOST_KEPT = 4; // of 2 MB: a person is asked about a photo before the job comes

let threads = USUAL_THREADS;

/** For the whole process, before its first picture. */
export function setNetworkThreads(count: number): void {
  threads = count;
}

/** Loads its network beforehand; a fault is raised by whoever needs the network. */
export type OwnMatting = Matting & { prepare: () => Promise<void> };

/** Loads its network with the first picture that needs it, or before, and keeps it. */
export function makeOwnMatting(card = CARD): OwnMatting {
  let loading: Promise<Network> | undefined;
  const getNetwork = () => (loading ??= loadNetwork(card, threads));
  const look = keepLast(async (picture, marks) => findSubject(await getNetwork(), picture, marks));
  return {
    prepare: async () => void (await getNetwork().catch(() => undefined)),
    look,
    find: (picture, report, marks) => findProduct(() => look(picture, marks), picture, report, marks),
  };
}

/** One for the whole process. */
export const ownMatting = makeOwnMatting();

/** The same answer for the same pixels and marks, as long as it is among the last ones. */
function keepLast(look: Matting['look']): Matting['look'] {
  const kept = new Map<string, Subject>();
  return async (picture: Rgb, marks?: Marks) => {
    const { width, height, data } = picture;
    const key = createHash('sha256')
      .update(JSON.stringify([width, height, marks ?? null]))
      .update(data)
      .digest('base64');
    const subject = kept.get(key) ?? (await look(picture, marks));
    kept.delete(key);
    kept.set(key, subject);
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    return subject;
  };
}
