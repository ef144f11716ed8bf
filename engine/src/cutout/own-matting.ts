/** Our own network as a matting. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Rgb } from '../pixels/plane.ts';
import { findProduct } from './find-product.ts';
import { loadNetwork } from './load-network.ts';
import type { Marks } from './marks.ts';
import type { Matting, NetworkNews, Subject } from './matting.ts';
import { USUAL_THREADS } from './network-file.ts';
import type { Network } from './network.ts';
import { findSubject } from './subject.ts';

const CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));
const MOST_KEPT = 4; // of 2 MB: a person is asked about a photo before the job comes

type OwnSettings = {
  /** Path of the card beside the network. */
  card: string;
  threads: number;
  tell: (news: NetworkNews) => void;
};

const settings: OwnSettings = { card: CARD, threads: USUAL_THREADS, tell: () => undefined };

/** For the whole process, before its first picture: another card, more threads, somebody who listens. */
export function setUpOwnMatting(changes: Partial<OwnSettings>): void {
  Object.assign(settings, changes);
}

/** Loads its network beforehand; a fault is only told, and raised again by whoever needs the network. */
export type OwnMatting = Matting & { prepare: () => Promise<void> };

/** Loads its network with the first picture that needs it, or before, and keeps it. */
export function makeOwnMatting(card?: string): OwnMatting {
  let loading: Promise<Network> | undefined;
  const getNetwork = () => (loading ??= load(card ?? settings.card));
  const look = keepLast(async (picture, marks) => findSubject(await getNetwork(), picture, marks));
  return {
    prepare: async () => void (await getNetwork().catch(() => undefined)),
    name: 'own network',
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

async function load(card: string): Promise<Network> {
  const { threads, tell } = settings;
  tell({ state: 'loading' });
  try {
    const network = await loadNetwork(card, threads);
    tell({ state: 'ready' });
    return network;
  } catch (error) {
    tell({ state: 'failed', reason: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
