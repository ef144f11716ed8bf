import type { Settings } from './config.ts';
import { isLiveKey } from './payments/wire.ts';
import { isLoopbackName } from './platform/loopback.ts';

/** Settings that work one by one and not together: each is refused before anything opens, with one sentence. */

// An https origin is one that people type: forgetting NODE_ENV must not give them credits for nothing.
export function isProduction(values: { NODE_ENV: string; PUBLIC_ORIGIN?: string | undefined }): boolean {
  return values.NODE_ENV === 'production' || isHttps(values.PUBLIC_ORIGIN);
}

const isHttps = (address: string | undefined) => address?.startsWith('https:') === true;
const isOpenHttp = (address: string) => address.startsWith('http:') && !isLoopbackName(new URL(address).hostname);

/** One sentence for each fault; none holds a secret. */
export function findForbidden(values: Settings): string[] {
  return [
    ...findForbiddenPlaces(values),
    ...findForbiddenSignIn(values),
    ...findForbiddenWords(values),
    ...findForbiddenPayments(values),
    ...(isProduction(values) ? findForbiddenInProduction(values) : []),
  ];
}

function findForbiddenPlaces(values: Settings): string[] {
  const faults: string[] = [];
  const origin = values.PUBLIC_ORIGIN;
  if (values.ROLE !== 'all' && values.DATABASE_URL === undefined) faults.push('ROLE: web and worker need DATABASE_URL');
  if (origin !== undefined && isOpenHttp(origin))
    faults.push('PUBLIC_ORIGIN: must be https, sessions do not travel over plain HTTP');
  if (origin === undefined && !isLoopbackName(values.HOST))
    faults.push('PUBLIC_ORIGIN: is needed when HOST is not a loopback address');
  const storage = [values.S3_ENDPOINT, values.S3_BUCKET, values.S3_ACCESS_KEY_ID, values.S3_SECRET_ACCESS_KEY];
  if (storage.some((value) => value !== undefined) && storage.includes(undefined))
    faults.push('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: all four or none');
  if ((values.C2PA_CERT === undefined) !== (values.C2PA_KEY === undefined))
    faults.push('C2PA_CERT, C2PA_KEY: both or none');
  if (values.HEADSHOT_MODELS_BUCKET !== undefined && values.S3_BUCKET === undefined)
    faults.push('HEADSHOT_MODELS_BUCKET: needs S3_ENDPOINT and its key');
  return faults;
}

function findForbiddenSignIn(values: Settings): string[] {
  const faults: string[] = [];
  if (values.OIDC_CLIENT_ID !== undefined && values.OIDC_CLIENT_SECRET === undefined)
    faults.push('OIDC_CLIENT_SECRET: is missing');
  if (values.OIDC_CLIENT_ID === undefined && values.OIDC_CLIENT_SECRET !== undefined)
    faults.push('OIDC_CLIENT_ID: is missing');
  if (isOpenHttp(values.OIDC_ISSUER)) faults.push('OIDC_ISSUER: must be https, passwords and tokens travel there');
  return faults;
}

/** Somebody's words are theirs. */
function findForbiddenWords(values: Settings): string[] {
  const faults: string[] = [];
  const {
    TESTIMONIAL_QUOTE: quote,
    TESTIMONIAL_BY: by,
    TESTIMONIAL_URL: url,
    TESTIMONIAL_CONSENT: hasConsent,
  } = values;
  if ((quote === undefined) !== (by === undefined)) faults.push('TESTIMONIAL_QUOTE, TESTIMONIAL_BY: both or none');
  if (url !== undefined && quote === undefined) faults.push('TESTIMONIAL_URL: needs TESTIMONIAL_QUOTE');
  if (quote !== undefined && !hasConsent)
    faults.push('TESTIMONIAL_CONSENT: must be true, their words need their consent');
  return faults;
}

const NEEDED_FOR = {
  sandbox: [],
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  dodo: ['DODO_API_KEY', 'DODO_WEBHOOK_SECRET', 'DODO_PRODUCT_BASIC', 'DODO_PRODUCT_STANDARD', 'DODO_PRODUCT_PREMIUM'],
} as const;

function findForbiddenPayments(values: Settings): string[] {
  const faults = (['stripe', 'dodo'] as const).flatMap((company) => {
    const missing = NEEDED_FOR[company].filter((name) => values[name] === undefined);
    // One that no longer sells still receives webhooks if it is set at all: then wholly.
    const isSet = values.PAYMENTS === company || missing.length < NEEDED_FOR[company].length;
    return isSet ? missing.map((name) => `${name}: is needed for ${company}`) : [];
  });
  if (isStripeLive(values) && !isProduction(values))
    faults.push('STRIPE_SECRET_KEY: is for real money, set PUBLIC_ORIGIN to your https origin or use a test key');
  return faults;
}

export const isStripeLive = ({ STRIPE_SECRET_KEY: key }: Pick<Settings, 'STRIPE_SECRET_KEY'>): boolean =>
  isLiveKey(key ?? '');

const DEFAULT_SECRETS = /^(whsec_)?(changeme|change-me|secret|password|test|example|default)/i;
const ALLOWED = 'set ALLOW_SANDBOX=1 to run it in production all the same';

function findForbiddenInProduction(values: Settings): string[] {
  const faults: string[] = [];
  const { PAYMENTS, ALLOW_SANDBOX, PUBLIC_ORIGIN } = values;
  if (PAYMENTS === undefined) faults.push('PAYMENTS: is missing');
  if (PAYMENTS === 'sandbox' && !ALLOW_SANDBOX)
    faults.push(`PAYMENTS: sandbox gives credits without money, ${ALLOWED}`);
  if (PAYMENTS === 'sandbox' && values.SANDBOX_WEBHOOK_SECRET === undefined)
    faults.push('SANDBOX_WEBHOOK_SECRET: is missing');
  // Test cards buy real credits.
  if (PAYMENTS === 'stripe' && isHttps(PUBLIC_ORIGIN) && !isStripeLive(values) && !ALLOW_SANDBOX)
    faults.push(`STRIPE_SECRET_KEY: is of the test mode, ${ALLOWED}`);
  if (PAYMENTS === 'dodo' && isHttps(PUBLIC_ORIGIN) && values.DODO_ENVIRONMENT === 'test_mode' && !ALLOW_SANDBOX)
    faults.push(`DODO_ENVIRONMENT: is test_mode, ${ALLOWED}`);
  const secrets = [
    'SANDBOX_WEBHOOK_SECRET',
    'OIDC_CLIENT_SECRET',
    'S3_SECRET_ACCESS_KEY',
    'FAL_KEY',
    'STABILITY_KEY',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'DODO_API_KEY',
    'DODO_WEBHOOK_SECRET',
  ] as const;
  for (const name of secrets) {
    const given = [values[name] ?? []].flat();
    if (given.some((secret) => DEFAULT_SECRETS.test(secret))) faults.push(`${name}: is a default, set one of your own`);
  }
  return faults;
}
