import type { Settings } from './config.ts';
import { isLiveKey } from './payments/wire.ts';
import { isLoopbackName } from './platform/loopback.ts';

/** Invalid combinations of settings: each is rejected before anything opens, with one sentence. */

// An https origin is public: a forgotten NODE_ENV must not give away free credits.
export function isProduction(values: { NODE_ENV: string; PUBLIC_ORIGIN?: string | undefined }): boolean {
  return values.NODE_ENV === 'production' || isHttps(values.PUBLIC_ORIGIN);
}

export const isStripeLive = ({ STRIPE_SECRET_KEY: key }: Pick<Settings, 'STRIPE_SECRET_KEY'>): boolean =>
  isLiveKey(key ?? '');

const isHttps = (address: string | undefined) => address?.startsWith('https:') === true;
const isOpenHttp = (address = '') => address.startsWith('http:') && !isLoopbackName(new URL(address).hostname);
const isPartial = (...group: unknown[]) => group.includes(undefined) && group.some((value) => value !== undefined);

type Rule = [fault: string, isBroken: boolean];

const listRules = (set: Settings): Rule[] => [
  ['ROLE: web and worker need DATABASE_URL', set.ROLE !== 'all' && set.DATABASE_URL === undefined],
  ['PUBLIC_ORIGIN: must be https, sessions do not travel over plain HTTP', isOpenHttp(set.PUBLIC_ORIGIN)],
  [
    'PUBLIC_ORIGIN: is needed when HOST is not a loopback address',
    set.PUBLIC_ORIGIN === undefined && !isLoopbackName(set.HOST),
  ],
  [
    'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: all four or none',
    isPartial(set.S3_ENDPOINT, set.S3_BUCKET, set.S3_ACCESS_KEY_ID, set.S3_SECRET_ACCESS_KEY),
  ],
  ['C2PA_CERT, C2PA_KEY: both or none', isPartial(set.C2PA_CERT, set.C2PA_KEY)],
  [
    'HEADSHOT_MODELS_BUCKET: needs S3_ENDPOINT and its key',
    set.HEADSHOT_MODELS_BUCKET !== undefined && set.S3_BUCKET === undefined,
  ],
  ['OIDC_CLIENT_SECRET: is missing', set.OIDC_CLIENT_ID !== undefined && set.OIDC_CLIENT_SECRET === undefined],
  ['OIDC_CLIENT_ID: is missing', set.OIDC_CLIENT_ID === undefined && set.OIDC_CLIENT_SECRET !== undefined],
  ['OIDC_ISSUER: must be https, passwords and tokens travel there', isOpenHttp(set.OIDC_ISSUER)],
  // The operator's words are not checked.
  ['TESTIMONIAL_QUOTE, TESTIMONIAL_BY: both or none', isPartial(set.TESTIMONIAL_QUOTE, set.TESTIMONIAL_BY)],
  [
    'TESTIMONIAL_URL: needs TESTIMONIAL_QUOTE',
    set.TESTIMONIAL_URL !== undefined && set.TESTIMONIAL_QUOTE === undefined,
  ],
  [
    'TESTIMONIAL_CONSENT: must be true, their words need their consent',
    set.TESTIMONIAL_QUOTE !== undefined && !set.TESTIMONIAL_CONSENT,
  ],
  [
    'STRIPE_SECRET_KEY: is for real money, set PUBLIC_ORIGIN to your https origin or use a test key',
    isStripeLive(set) && !isProduction(set),
  ],
];

const ALLOWED = 'set ALLOW_SANDBOX=1 to run it in production all the same';
/** With test keys, test cards buy credits, so strangers must not have access. */
const requiresLiveMode = (set: Settings) => isHttps(set.PUBLIC_ORIGIN) && !set.ALLOW_SANDBOX;

const listProductionRules = (set: Settings): Rule[] => [
  ['PAYMENTS: is missing', set.PAYMENTS === undefined],
  [`PAYMENTS: sandbox gives credits without money, ${ALLOWED}`, set.PAYMENTS === 'sandbox' && !set.ALLOW_SANDBOX],
  ['SANDBOX_WEBHOOK_SECRET: is missing', set.PAYMENTS === 'sandbox' && set.SANDBOX_WEBHOOK_SECRET === undefined],
  [
    `STRIPE_SECRET_KEY: is of the test mode, ${ALLOWED}`,
    set.PAYMENTS === 'stripe' && set.STRIPE_SECRET_KEY !== undefined && requiresLiveMode(set) && !isStripeLive(set),
  ],
  [
    `DODO_ENVIRONMENT: is test_mode, ${ALLOWED}`,
    set.PAYMENTS === 'dodo' && requiresLiveMode(set) && set.DODO_ENVIRONMENT === 'test_mode',
  ],
];

/** A sentence per fault, without secrets. */
export function listFaults(values: Settings): string[] {
  const isPublic = isProduction(values);
  const rules = [...listRules(values), ...(isPublic ? listProductionRules(values) : [])];
  const broken = rules.filter(([, isBroken]) => isBroken).map(([fault]) => fault);
  return [...listMissing(values), ...broken, ...(isPublic ? listDefaultSecrets(values) : [])];
}

const REQUIRED_SETTINGS = {
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  dodo: ['DODO_API_KEY', 'DODO_WEBHOOK_SECRET', 'DODO_PRODUCT_BASIC', 'DODO_PRODUCT_STANDARD', 'DODO_PRODUCT_PREMIUM'],
} as const;

function listMissing(values: Settings): string[] {
  return (['stripe', 'dodo'] as const).flatMap((company) => {
    const missing = REQUIRED_SETTINGS[company].filter((name) => values[name] === undefined);
    // A former company still receives webhooks, if it is configured completely.
    const isSet = values.PAYMENTS === company || missing.length < REQUIRED_SETTINGS[company].length;
    return isSet ? missing.map((name) => `${name}: is needed for ${company}`) : [];
  });
}

const DEFAULT_SECRETS = /^(whsec_)?(changeme|change-me|secret|password|test|example|default)/i;
/** True for names of secrets; C2PA_KEY is a file's path. */
const isSecret = (name: string) => /SECRET|_KEY$/.test(name) && name !== 'C2PA_KEY';

function listDefaultSecrets(values: Settings): string[] {
  return Object.entries(values)
    .filter(([name, value]) => isSecret(name) && [value].flat().some((one) => DEFAULT_SECRETS.test(String(one))))
    .map(([name]) => `${name}: is a default, set one of your own`);
}
