import type { Config } from './config.ts';
import type { Processor, Processors } from './payments/processor.ts';
import type { Seller } from './payments/receipts.ts';
import { makeSandbox } from './payments/sandbox.ts';
import type { Clock } from './platform/clock.ts';

/** The payment companies, the one that opens checkouts first. Their large packages are loaded on demand. */
export async function makeProcessors(config: Config, sandboxSecret: string, clock: Clock): Promise<Processors> {
  if (config.PAYMENTS === 'sandbox') return [makeSandbox(sandboxSecret)];
  const all = await Promise.all([makeOurStripe(config, clock), makeOurDodo(config, clock)]);
  const real = all.filter((one) => one !== undefined);
  const first = real.find(({ name }) => name === config.PAYMENTS);
  if (first === undefined) throw new Error(`${config.PAYMENTS} has no key`);
  return [first, ...real.filter((one) => one !== first)];
}

/** The sandbox's secret if it is enabled, else undefined. */
export function findSandboxSecret(config: Config, made: string): string | undefined {
  return config.PAYMENTS === 'sandbox' ? (config.SANDBOX_WEBHOOK_SECRET ?? made) : undefined;
}

export function makeSeller(config: Config): Seller {
  const { SELLER_NAME, SELLER_ADDRESS, SELLER_TAX_ID, CONTACT_EMAIL } = config;
  return {
    name: SELLER_NAME ?? null,
    address: SELLER_ADDRESS ?? null,
    taxId: SELLER_TAX_ID ?? null,
    email: CONTACT_EMAIL ?? null,
  };
}

async function makeOurStripe(config: Config, clock: Clock): Promise<Processor | undefined> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets } = config;
  if (secretKey === undefined || webhookSecrets === undefined) return undefined;
  const { STRIPE_PRICE_BASIC: basic, STRIPE_PRICE_STANDARD: standard, STRIPE_PRICE_PREMIUM: premium } = config;
  const { makeStripe } = await import('./payments/stripe.ts');
  const prices = { basic, standard, premium };
  return makeStripe({ secretKey, webhookSecrets, apiUrl: config.STRIPE_API_URL, prices }, clock);
}

async function makeOurDodo(config: Config, clock: Clock): Promise<Processor | undefined> {
  const { DODO_API_KEY: apiKey, DODO_WEBHOOK_SECRET: webhookSecrets } = config;
  const { DODO_PRODUCT_BASIC: basic, DODO_PRODUCT_STANDARD: standard, DODO_PRODUCT_PREMIUM: premium } = config;
  if (apiKey === undefined || webhookSecrets === undefined) return undefined;
  if (basic === undefined || standard === undefined || premium === undefined) return undefined;
  const { DODO_URLS, makeDodo } = await import('./payments/dodo.ts');
  const apiUrl = config.DODO_API_URL ?? DODO_URLS[config.DODO_ENVIRONMENT];
  return makeDodo({ apiKey, apiUrl, webhookSecrets, products: { basic, standard, premium } }, clock);
}
