import type { Subject } from '@plinth/contract/marks';
import type { ToolId } from '@plinth/contract/tools';
import type { Config } from './config.ts';
import type { Packs } from './packs/packs.ts';
import { AppError, fieldError } from './platform/errors.ts';
import type { Metrics } from './platform/metrics.ts';
import { chooseCalls, mappings } from './providers/mappings.ts';
import { type EngineCall, findSubject, makeEngine, runSkill } from './providers/engine.ts';
import { makeFal } from './providers/fal.ts';
import { type DirectProvider, type Provider, ProviderError, type ProviderInput } from './providers/provider.ts';
import { makeStability } from './providers/stability.ts';

type Providers = {
  of: (tool: ToolId) => Provider;
  /** Concurrent generations at the providers. */
  slots: number;
};

type ProviderOptions = {
  config: Config;
  engineKey: string;
  /** Address of the built-in engine; undefined if it is not needed. */
  engineUrl: string | undefined;
  metrics: Metrics;
};

/** The provider of each tool: Stability (with a key) by its mapping; for the rest fal with a key, else the engine. */
export function makeProviders(options: ProviderOptions): Providers {
  const { config, metrics } = options;
  const general = config.FAL_KEY === undefined ? openEngine(options) : makeHosted(options, config.FAL_KEY);
  if (config.STABILITY_KEY === undefined) return { of: () => general, slots: general.slots };
  const stability = makeStability({
    key: config.STABILITY_KEY,
    url: config.STABILITY_URL,
    pauseScale: config.PROVIDER_POLL_SCALE,
    requests: metrics.providerRequests,
  });
  return {
    of: (tool) => (mappings[tool].stability === true ? stability : general),
    slots: general.slots + stability.slots,
  };
}

/** Limits of redos and returns, because a hosted provider's results cost money. */
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
    pauseScale: config.PROVIDER_POLL_SCALE,
    allowedHosts: config.RESULT_HOSTS,
    requests: metrics.providerRequests,
  });
}

function openEngine({ engineKey, engineUrl, metrics }: Omit<ProviderOptions, 'config'>): DirectProvider {
  const wire = { url: engineUrl ?? 'http://127.0.0.1:1', key: engineKey, requests: metrics.providerRequests };
  return makeEngine(wire, (tool) => mappings[tool].engine);
}

const ASK_MS = 60_000;
const LOOK_MS = 20_000;

/** Calls of the engine outside of generations; `getEngineUrl` may start it. */
export function makeEngineCalls(
  { engineKey: key, metrics }: Pick<ProviderOptions, 'engineKey' | 'metrics'>,
  getEngineUrl: () => Promise<string>,
) {
  const openWire = async () => ({ url: await getEngineUrl(), key, requests: metrics.providerRequests });
  const ask = async (call: EngineCall, content: Buffer, contentType: string): Promise<Buffer> => {
    const given = { pictures: new Map([['image', { content, contentType }]]), texts: {} };
    return (await runSkill(await openWire(), call, given, { signal: AbortSignal.timeout(ASK_MS) })).content;
  };
  const refuse = (code: 'temporarily_unavailable' | 'subject_unavailable', cause: unknown): never => {
    throw new AppError(code, { retryAfterSeconds: 5, cause });
  };
  return {
    /** Cuts out; undefined without a product. @throws AppError temporarily_unavailable */
    cutOut: (picture: Buffer): Promise<Buffer | undefined> =>
      ask(mappings.remover.engine, picture, 'image/jpeg').catch((error: unknown) =>
        isRejection(error) ? undefined : refuse('temporarily_unavailable', error),
      ),
    /** Draws a shadow. @throws AppError temporarily_unavailable */
    shade: (...[product, kind, angle]: Parameters<Packs['shade']>): Promise<Buffer> => {
      const call = { skill: 'shadow', pictures: { image: 'image_url' }, toInput: () => ({ kind, angle }) };
      return ask(call, product, 'image/png').catch((error: unknown) => refuse('temporarily_unavailable', error));
    },
    /** Detects the product of the picture `image`. @throws AppError subject_unavailable, image_unreadable */
    findSubject: async (providerInput: ProviderInput): Promise<Subject> => {
      try {
        return await findSubject(await openWire(), providerInput, AbortSignal.timeout(LOOK_MS));
      } catch (error) {
        if (isRejection(error)) throw fieldError('image', 'image_unreadable', error.sentence);
        return refuse('subject_unavailable', error);
      }
    },
  };
}

const isRejection = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'provider_rejected';
