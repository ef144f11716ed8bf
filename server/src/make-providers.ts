import type { Subject } from '@plinth/contract/marks';
import type { ToolId } from '@plinth/contract/tools';
import type { Config } from './config.ts';
import type { Packs } from './packs/packs.ts';
import { AppError, fieldError } from './platform/errors.ts';
import type { Metrics } from './platform/metrics.ts';
import { chooseCalls, mappings } from './providers/mappings.ts';
import { type EngineCall, findSubject, makeEngine } from './providers/engine.ts';
import { makeFal } from './providers/fal.ts';
import { type DirectProvider, type GivenInput, type Provider, ProviderError } from './providers/provider.ts';
import { makeStability } from './providers/stability.ts';

export type Providers = {
  of: (tool: ToolId) => Provider;
  /** Generations that may be at the providers at one time. */
  slots: number;
};

type ProviderOptions = {
  config: Config;
  engineKey: string;
  /** Address of the built-in engine; undefined where it is not needed. */
  engineUrl: string | undefined;
  metrics: Metrics;
};

/** Who serves which tool: Stability with its key what its mapping says; the rest fal with a key, else the engine. */
export function makeProviders(options: ProviderOptions): Providers {
  const { config, metrics } = options;
  const general = config.FAL_KEY === undefined ? openEngine(options) : makeHosted(options, config.FAL_KEY);
  if (config.STABILITY_KEY === undefined) return { of: () => general, slots: general.slots };
  const stability = makeStability({
    key: config.STABILITY_KEY,
    url: config.STABILITY_URL,
    slots: 4,
    pauseScale: config.PROVIDER_POLL_SCALE,
    requests: metrics.providerRequests,
  });
  return {
    of: (tool) => (mappings[tool].stability === true ? stability : general),
    slots: general.slots + stability.slots,
  };
}

/** How often a result may be redone and returned: what a provider made costs money each time. */
export function makeSecondTries(config: Config, { of }: Pick<Providers, 'of'>) {
  const isOurs = (tool: ToolId) => of(tool).servedBy.kind === 'built-in';
  return {
    freeRedos: (tool: ToolId) => config.FREE_REDOS ?? (isOurs(tool) ? FREE_REDOS_BUILT_IN : 0),
    returnsPerMonth: config.RETURNS_PER_MONTH,
    isReturnable: (tool: ToolId) => isOurs(tool) || config.RETURN_PROVIDER_RESULTS,
  };
}

const FREE_REDOS_BUILT_IN = 3;

function makeHosted({ config, metrics }: ProviderOptions, key: string): Provider {
  const { FAL_QUEUE_URL: queue, FAL_REST_URL: rest, FAL_RUN_URL: run } = config;
  return makeFal({
    key,
    addresses: { queue, rest, run },
    callOf: chooseCalls(config.FAL_HEADSHOT_MODEL),
    slots: 20,
    pauseScale: config.PROVIDER_POLL_SCALE,
    allowedHosts: config.RESULT_HOSTS,
    requests: metrics.providerRequests,
  });
}

function openEngine({ engineKey, engineUrl, metrics }: Omit<ProviderOptions, 'config'>): DirectProvider {
  return makeEngine({
    url: engineUrl ?? 'http://127.0.0.1:1',
    key: engineKey,
    callOf: (tool) => mappings[tool].engine,
    requests: metrics.providerRequests,
  });
}

const ASK_MS = 60_000;

/** The engine's calls outside of generations; `getEngineUrl` may start one. @throws AppError temporarily_unavailable */
export function makeLooker(
  { engineKey, metrics }: Pick<ProviderOptions, 'engineKey' | 'metrics'>,
  getEngineUrl: () => Promise<string>,
): Pick<Packs, 'cutOut' | 'shade'> {
  const ask = async (call: EngineCall, content: Buffer, contentType: string): Promise<Buffer> => {
    const url = await getEngineUrl();
    const engine = makeEngine({ url, key: engineKey, callOf: () => call, requests: metrics.providerRequests });
    const pictures = new Map([['image', { content, contentType }]]);
    const signal = AbortSignal.timeout(ASK_MS);
    return (await engine.run('remover', { pictures, texts: {} }, { signal })).content;
  };
  const unavailable = (cause: unknown) => new AppError('temporarily_unavailable', { retryAfterSeconds: 5, cause });
  return {
    cutOut: (picture) =>
      ask(mappings.remover.engine, picture, 'image/jpeg').catch((error: unknown) => {
        // It finds no product.
        if (error instanceof ProviderError && error.kind === 'provider_rejected') return undefined;
        throw unavailable(error);
      }),
    shade: (product, kind, angle) => {
      const call = { skill: 'shadow', pictures: { image: 'image_url' }, toInput: () => ({ kind, angle }) };
      return ask(call, product, 'image/png').catch((error: unknown) => {
        throw unavailable(error);
      });
    },
  };
}

const LOOK_MS = 20_000;

/** What the engine would cut out of the picture `image`. @throws AppError subject_unavailable, image_unreadable */
export function makeSubjectFinder(
  { engineKey: key, metrics }: Pick<ProviderOptions, 'engineKey' | 'metrics'>,
  getEngineUrl: () => Promise<string>,
) {
  return async (given: GivenInput): Promise<Subject> => {
    try {
      const url = await getEngineUrl();
      return await findSubject({ url, key, requests: metrics.providerRequests }, given, AbortSignal.timeout(LOOK_MS));
    } catch (cause) {
      if (cause instanceof ProviderError && cause.kind === 'provider_rejected')
        throw fieldError('image', 'image_unreadable', cause.sentence);
      throw new AppError('subject_unavailable', { retryAfterSeconds: 5, cause });
    }
  };
}
