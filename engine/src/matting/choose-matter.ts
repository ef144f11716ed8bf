import { classicalMatter } from './classical.ts';
import { NotToldApart, type Matter } from './matter.ts';
import type { NetworkSettings } from './network-settings.ts';
import { makeNetworkMatter } from './onnx-matter.ts';
import { loadNetwork } from './onnx-network.ts';

/** What the engine hears about the operator's network: a process that dies between the first two died of it. */
export type NetworkNews = { state: 'loading' } | { state: 'ready' } | { state: 'failed'; reason: string };

/**
 * The operator's network where there is one and it works, else the classical method. The network is loaded with the
 * first picture that needs it; whatever goes wrong is told once and the classical method serves from then on.
 */
export function chooseMatter(settings: NetworkSettings | undefined, tell: (news: NetworkNews) => void): Matter {
  if (!settings) return classicalMatter;
  let loading: Promise<Matter> | undefined;
  const giveUp = (error: unknown): Matter => {
    tell({ state: 'failed', reason: error instanceof Error ? error.message : String(error) });
    loading = Promise.resolve(classicalMatter);
    return classicalMatter;
  };
  const load = async () => {
    tell({ state: 'loading' });
    const network = await loadNetwork(settings);
    tell({ state: 'ready' });
    return makeNetworkMatter(network, settings.isStretched);
  };
  return {
    name: 'chosen',
    async matte(picture, report) {
      loading ??= load().catch(giveUp);
      const matter = await loading;
      try {
        return await matter.matte(picture, report);
      } catch (error) {
        if (matter === classicalMatter || error instanceof NotToldApart) throw error;
        return giveUp(error).matte(picture, report);
      }
    },
  };
}
