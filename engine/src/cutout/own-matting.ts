/** Our own network as a matting. */
import { fileURLToPath } from 'node:url';
import { loadNetwork } from './load-network.ts';
import type { Matting, NetworkNews } from './matting.ts';
import { USUAL_THREADS } from './network-file.ts';
import type { Network } from './network.ts';
import { findProduct } from './find-product.ts';

const CARD = fileURLToPath(new URL('../../assets/cutout/cutout.json', import.meta.url));

type OwnSettings = {
  /** Path of the card beside the network. */
  card: string;
  threads: number;
  tell: (news: NetworkNews) => void;
};

const settings: OwnSettings = { card: CARD, threads: USUAL_THREADS, tell: () => undefined };

/** For the whole process, before its first picture: another card, more threads, somebody who wants to hear. */
export function setUpOwnMatting(changes: Partial<OwnSettings>): void {
  Object.assign(settings, changes);
}

/** Loads its network beforehand; a fault is only told, and raised again by whoever needs the network. */
export type OwnMatting = Matting & { prepare: () => Promise<void> };

/** Loads its network with the first picture that needs it, or before, and keeps it. */
export function makeOwnMatting(card?: string): OwnMatting {
  let loading: Promise<Network> | undefined;
  const getNetwork = () => (loading ??= load(card ?? settings.card));
  return {
    prepare: async () => void (await getNetwork().catch(() => undefined)),
    name: 'own network',
    find: async (picture, report, marks) => findProduct(await getNetwork(), picture, report, marks),
  };
}

/** One for the whole process. */
export const ownMatting = makeOwnMatting();

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
