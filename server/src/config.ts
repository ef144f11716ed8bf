import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { z } from 'zod';
import { isProduction, listFaults } from './config-rules.ts';
import { ExpectedError } from './platform/errors.ts';
import { isLoopbackName } from './platform/loopback.ts';

const REPOSITORY = resolve(import.meta.dirname, '..', '..');

/** The only reader of the environment. Each setting has one line of explanation, from which `.env.example` is made. */

const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');
const text = z.string().optional();
const shortText = (maxLength: number) => z.string().max(maxLength).optional();
const folder = (defaultPath: string) => z.string().min(1).default(defaultPath);
const factor = (max = Infinity) => z.coerce.number('must be a number').positive().max(max).default(1);
function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule);
}
const port = integer(0, 65_535);
/** In seconds, the longest wait of a timer of Node's; a longer one would not wait at all. */
const MAX_TIMER_SECONDS = 2_147_483;
const page = z.url({ protocol: /^https$/, error: 'must be an https address' });
const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => value.replace(/\/+$/, ''));

const STANDARD_SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/;
const split = (value: string) =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
const hosts = z
  .string()
  .default('')
  .transform(split)
  .refine((all) => all.every((one) => /^[^/\s]+:\d+$/.test(one)), 'must be host:port, with commas between');
const list = (pattern: RegExp, message: string) =>
  z
    .string()
    .transform(split)
    .refine((all) => all.length > 0 && all.every((one) => pattern.test(one)), message);

export const settings = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe('production refuses everything that is meant for trying out, and so does any https PUBLIC_ORIGIN'),
  ROLE: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe('which part runs in this process; web and worker need DATABASE_URL'),
  PORT: port.default(8080).describe('port of the product; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  METRICS_PORT: port.optional().describe('port of GET /metrics; off when empty'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('address where METRICS_PORT and HEALTH_PORT listen'),
  HEALTH_PORT: port.optional().describe('port of GET /healthz and /readyz of their own, for workers; off when empty'),
  PUBLIC_ORIGIN: z
    .url({ protocol: /^https?$/, error: 'must be an origin, like https://shop.example', abort: true })
    .refine(
      (value) => new URL(value).origin === value.toLowerCase().replace(/\/$/, ''),
      'must be an origin, like https://shop.example',
    )
    .transform((value) => new URL(value).origin)
    .optional()
    .describe('origin people type, like https://shop.example; empty on one machine'),
  TRUST_PROXY_HOPS: integer(0).default(0).describe('how many proxies in front may set X-Forwarded-*'),
  DATA_DIR: folder('data').describe('everything the product writes lies below this folder'),
  PAGES_DIR: folder('web/dist').describe('folder of the built browser part, with the pages of each language'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be like postgres://USER:PASSWORD@HOST:5432/NAME' })
    .optional()
    .describe('ordinary Postgres (15 or later) instead of the embedded one'),
  S3_ENDPOINT: address.optional().describe('address of an S3-compatible storage; files lie in DATA_DIR when empty'),
  S3_BUCKET: text.describe('bucket for uploads and results'),
  S3_ACCESS_KEY_ID: text.describe('name of the storage key'),
  S3_SECRET_ACCESS_KEY: text.describe('secret of the storage key'),
  S3_REGION: z.string().min(1).default('auto').describe('region of the bucket, part of the signature'),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'must be a path like plinth/')
    .transform((value) => `${value.replace(/\/$/, '')}/`)
    .optional()
    .describe('folder of the bucket that is ours; the whole bucket when empty'),
  FAL_KEY: text.describe('key of fal; without it the built-in engine serves every tool'),
  FAL_QUEUE_URL: address.default('https://queue.fal.run').describe("address of fal's queue"),
  FAL_REST_URL: address.default('https://rest.fal.ai').describe("address of fal's storage and tokens"),
  FAL_RUN_URL: address.default('https://fal.run').describe("address of fal's direct runs"),
  FAL_HEADSHOT_MODEL: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must be a model id like fal-ai/nano-banana/edit')
    .default('fal-ai/nano-banana/edit')
    .describe("fal's model for headshots: an edit model, or one whose id says face-swap"),
  STABILITY_KEY: text.describe('key of Stability AI; with it Stability serves the premium video'),
  STABILITY_URL: address.default('https://api.stability.ai').describe('address of Stability AI'),
  HEADSHOT_MODELS_DIR: folder('server/headshot-models').describe('folder of the stock portraits and their models.json'),
  HEADSHOT_MODELS_BUCKET: text.describe('bucket of the S3 storage with the stock portraits, instead of the folder'),
  RESULT_HOSTS: hosts.describe('comma list of host:port from which results may be fetched although they are private'),
  WEBHOOK_HOSTS: hosts.describe('comma list of host:port to which webhooks may go although they are private or http'),
  PAYMENTS: z
    .enum(['sandbox', 'stripe', 'dodo'])
    .optional()
    .describe('payment mode: sandbox, stripe or dodo; sandbox is the default outside production'),
  ALLOW_SANDBOX: flag.default(false).describe('allows sandbox payments and test keys in production'),
  SANDBOX_WEBHOOK_SECRET: z
    .string()
    .regex(STANDARD_SECRET, 'must be whsec_ and base64')
    .optional()
    .describe('secret of sandbox webhooks (whsec_ and base64); made on the first start when empty'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_/, 'must begin with sk_ or rk_')
    .optional()
    .describe('secret or restricted key of Stripe'),
  STRIPE_API_URL: address.default('https://api.stripe.com').describe('address of Stripe'),
  STRIPE_WEBHOOK_SECRET: list(/^\S+$/, 'must hold no spaces')
    .optional()
    .describe('secret of the webhook endpoint at Stripe; a comma list while it is being changed'),
  STRIPE_PRICE_BASIC: text.describe("Stripe's price id of the package basic; made on the fly when empty"),
  STRIPE_PRICE_STANDARD: text.describe("Stripe's price id of the package standard"),
  STRIPE_PRICE_PREMIUM: text.describe("Stripe's price id of the package premium"),
  DODO_API_KEY: text.describe('key of Dodo Payments'),
  DODO_ENVIRONMENT: z
    .enum(['test_mode', 'live_mode'])
    .default('live_mode')
    .describe("which of Dodo's two worlds the key belongs to: test_mode or live_mode"),
  DODO_API_URL: address.optional().describe('address of Dodo Payments; follows DODO_ENVIRONMENT when empty'),
  DODO_WEBHOOK_SECRET: list(STANDARD_SECRET, 'must be whsec_ and base64')
    .optional()
    .describe('secret of the webhook endpoint at Dodo (whsec_ and base64); a comma list while it is being changed'),
  DODO_PRODUCT_BASIC: text.describe("Dodo's product id of the package basic"),
  DODO_PRODUCT_STANDARD: text.describe("Dodo's product id of the package standard"),
  DODO_PRODUCT_PREMIUM: text.describe("Dodo's product id of the package premium"),
  SELLER_NAME: shortText(200).describe('who sells: a name on receipts and legal pages'),
  SELLER_ADDRESS: z
    .string()
    .max(1000)
    .transform((value) => value.replaceAll('\\n', '\n'))
    .optional()
    .describe("the seller's postal address on receipts and legal pages; \\n starts a new line"),
  SELLER_TAX_ID: shortText(100).describe("the seller's tax number on receipts"),
  CONTACT_EMAIL: z.email().optional().describe('address that people write to, on public pages and receipts'),
  SOCIAL_URL: page.optional().describe('address of your page elsewhere, for the link "Follow us"'),
  PRODUCTS_SHOWN: shortText(20).describe('how many products were shown, on the start page, like 12,380'),
  TESTIMONIAL_QUOTE: shortText(400).describe('words of a customer on the start page'),
  TESTIMONIAL_BY: shortText(100).describe('whose words they are'),
  TESTIMONIAL_URL: page.optional().describe('address that leads to whose words they are'),
  TESTIMONIAL_CONSENT: flag.default(false).describe('says that you have their consent in writing'),
  OIDC_ISSUER: address.default('https://accounts.google.com').describe('identity provider behind the Google button'),
  OIDC_CLIENT_ID: text.describe('client id at the identity provider; without it a local one starts on one machine'),
  OIDC_CLIENT_SECRET: text.describe('client secret at the identity provider'),
  AUTH_EMAIL_SIGNUP: flag.default(false).describe('lets people sign up with e-mail and password'),
  C2PA_CERT: text.describe(
    'file with the certificate that signs what is made, and those above it, in PEM; a self-made one when empty',
  ),
  C2PA_KEY: text.describe('file with its private key in PEM: Ed25519, or ECDSA on P-256 or P-384'),
  MEDIA_TTL_SECONDS: integer(1).default(MEDIA_TTL_SECONDS).describe('how long uploads and results are kept (48 h)'),
  SWEEP_INTERVAL_SECONDS: integer(1, MAX_TIMER_SECONDS).default(60).describe('how often expired files are deleted'),
  SESSION_TTL_SECONDS: integer(1).default(2_592_000).describe('life of a session since its last refresh (30 days)'),
  SESSION_IDLE_SECONDS: integer(1)
    .default(1_209_600)
    .describe('a session that is not used for this long ends (14 days)'),
  UPLOAD_SECONDS: integer(1, 290).default(180).describe('how long a form with pictures may take to arrive'),
  SIGNUP_CREDITS: integer(0, 1_000_000)
    .optional()
    .describe('credits of a new account; 3 without a key of a paid provider and 0 with one when empty'),
  PROVIDER_POLL_SCALE: factor(1000).describe('multiplies the polling intervals at providers'),
  RATE_LIMIT_SCALE: factor().describe('multiplies the allowed numbers of requests'),
  MAX_INFLIGHT_PER_USER: integer(1).default(10).describe('generations that one person may have running'),
  FREE_REDOS: integer(0)
    .optional()
    .describe('free second tries of a result; 3 for the built-in engine and 0 for a provider when empty'),
  RETURNS_PER_MONTH: integer(0)
    .default(10)
    .describe('results that one person may return in 30 days; 0 switches it off'),
  RETURN_PROVIDER_RESULTS: flag.default(false).describe('lets people return what a provider made, too'),
  MAX_STORAGE_BYTES: integer(1)
    .optional()
    .describe('most bytes of uploads and results kept at one time; no limit when empty'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('what is logged on standard error'),
} as const;

/** Welcome credits while the built-in engine, which costs nothing, serves. */
const WELCOME_CREDITS = 3;

const schema = z.object(settings).transform((values) => ({
  ...values,
  DATA_DIR: resolve(values.DATA_DIR),
  // Relative to the code, independent of the working directory.
  PAGES_DIR: resolve(REPOSITORY, values.PAGES_DIR),
  HEADSHOT_MODELS_DIR: resolve(REPOSITORY, values.HEADSHOT_MODELS_DIR),
  PAYMENTS: values.PAYMENTS ?? (isProduction(values) ? undefined : ('sandbox' as const)),
  SIGNUP_CREDITS:
    values.SIGNUP_CREDITS ?? (values.FAL_KEY === undefined && values.STABILITY_KEY === undefined ? WELCOME_CREDITS : 0),
}));

export type Settings = z.infer<typeof schema>;
export type Config = Settings & {
  PAYMENTS: 'sandbox' | 'stripe' | 'dodo';
  /** True if only this machine can reach the product: no public origin, no proxy, listening on loopback. */
  isLoopback: boolean;
  /** True for public or explicitly productive installations, in which test features are disabled. */
  isProduction: boolean;
};

/** Invalid settings; a sentence per fault. */
export class ConfigError extends ExpectedError {
  readonly faults: string[];

  constructor(message: string, faults: string[] = [message]) {
    super(message);
    this.faults = faults;
  }
}

/** Reads all settings and reports all faults together. Empty values count as missing. @throws ConfigError */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values = Object.fromEntries(
    Object.keys(settings)
      .map((name) => [name, environment[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(values);
  const faults = parsed.success
    ? listFaults(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success || faults.length > 0)
    throw new ConfigError(`These settings do not work: ${faults.join('; ')}`, faults);
  const { HOST, PUBLIC_ORIGIN: origin, TRUST_PROXY_HOPS: hops } = parsed.data;
  const isLoopback =
    isLoopbackName(HOST) && (origin === undefined || isLoopbackName(new URL(origin).hostname)) && hops === 0;
  return {
    ...parsed.data,
    PAYMENTS: parsed.data.PAYMENTS ?? 'sandbox',
    isLoopback,
    isProduction: isProduction(parsed.data),
  };
}

/** The process's environment, with the repository's `.env` file as fallback. @throws ConfigError */
export function environment(): Record<string, string | undefined> {
  for (const [name, value] of Object.entries(parseEnv(readEnvFile(resolve('.env'))))) process.env[name] ??= value;
  return process.env;
}

function readEnvFile(path: string): string {
  try {
    const bytes = readFileSync(path);
    // Windows PowerShell writes UTF-16. The decoder drops the byte order mark.
    const text = new TextDecoder(bytes.indexOf('fffe', 'hex') === 0 ? 'utf-16le' : 'utf-8').decode(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  }
  throw new ConfigError(`The settings in ${path} cannot be read. Make it a file of text in UTF-8.`);
}
