import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { isStripeLive } from '../config-rules.ts';
import { makeProcessors } from '../make-processors.ts';
import type { Processor } from '../payments/processor.ts';
import { systemClock } from '../platform/clock.ts';
import { newToken } from '../platform/ids.ts';
import { openStorage } from '../platform/data/open-storage.ts';
import { attempt, fault, type Finding, missing, ok } from './doctor-findings.ts';

const REQUEST_MS = 10_000;
const SEE_INTERNET = 'See whether this machine reaches the internet.';

/** Writes, reads and deletes a small object in the media storage. */
export function checkStorage(config: Config): Promise<Finding[]> {
  const check = 'storage';
  const isBucket = config.S3_BUCKET !== undefined;
  const place = isBucket ? `The bucket ${config.S3_BUCKET}` : 'The data folder';
  const todo = isBucket
    ? 'Check S3_ENDPOINT, S3_BUCKET and that its key may write, read and delete.'
    : 'Let the product write to DATA_DIR.';
  return attempt(check, `${place} cannot be used`, todo, async () => {
    const storage = await openStorage(config);
    const key = `probe/${newToken()}.txt`;
    const content = Buffer.from('Written by the doctor; can be deleted.\n');
    await storage.put(key, content, 'text/plain');
    const isSame = (await storage.readWhole(key))?.equals(content) === true;
    await storage.remove(key);
    if (!isSame || (await storage.readWhole(key)) !== undefined)
      return [fault(check, `${place} does not keep what is written.`, 'Use another storage.')];
    return [ok(check, `${place} takes, gives and deletes files.`)];
  });
}

export async function checkFal(config: Config): Promise<Finding[]> {
  if (config.FAL_KEY === undefined)
    return [missing('fal', 'The built-in engine serves the tools.', "Set FAL_KEY for fal's models.")];
  // The status of a nonexistent request: free, and answered only for a valid key.
  const app = config.FAL_HEADSHOT_MODEL.split('/').slice(0, 2).join('/');
  const address = `${config.FAL_QUEUE_URL}/${app}/requests/${randomUUID()}/status`;
  return askWithKey('fal', 'FAL_KEY', address, `Key ${config.FAL_KEY}`, (status) => status < 500);
}

export async function checkStability(config: Config): Promise<Finding[]> {
  if (config.STABILITY_KEY === undefined)
    return [missing('stability', 'Not used.', 'Set STABILITY_KEY if you want it.')];
  const address = `${config.STABILITY_URL}/v1/user/balance`;
  const authorization = `Bearer ${config.STABILITY_KEY}`;
  return askWithKey('stability', 'STABILITY_KEY', address, authorization, (status) => status === 200);
}

function askWithKey(
  check: string,
  setting: string,
  address: string,
  authorization: string,
  isWell: (status: number) => boolean,
): Promise<Finding[]> {
  return attempt(check, 'It cannot be reached', SEE_INTERNET, async () => {
    const { status, body } = await fetch(address, { headers: { authorization }, signal: inTime() });
    await body?.cancel();
    if (status === 401 || status === 403)
      return [fault(check, `It refuses the key (${status}).`, `Set ${setting} anew.`)];
    if (isWell(status)) return [ok(check, 'It answers and takes the key.')];
    return [fault(check, `It answers ${status}.`, 'Try again later.')];
  });
}

const inTime = () => AbortSignal.timeout(REQUEST_MS);

/** The company that sells, and former ones that only send webhooks. */
export async function checkPayments(config: Config): Promise<Finding[]> {
  if (config.PAYMENTS === 'sandbox') {
    const todo = 'Set PAYMENTS=stripe or dodo, as docs/going-live.md says.';
    return [missing('payments', 'The sandbox gives credits without money.', todo)];
  }
  const processors = await makeProcessors(config, '', systemClock);
  return (await Promise.all(processors.map((processor) => checkProcessor(config, processor)))).flat();
}

function checkProcessor(config: Config, { name, probe }: Processor): Promise<Finding[]> {
  const setting = name === 'stripe' ? 'STRIPE_SECRET_KEY' : 'DODO_API_KEY and DODO_ENVIRONMENT';
  return attempt(name, 'It cannot be used', `Check ${setting}.`, async () => {
    await probe();
    const webhook = `Its webhooks come to ${config.PUBLIC_ORIGIN ?? 'PUBLIC_ORIGIN'}/webhooks/${name}.`;
    const isLive = name === 'stripe' ? isStripeLive(config) : config.DODO_ENVIRONMENT === 'live_mode';
    if (isLive) return [ok(name, `It answers and takes the key, for real money. ${webhook}`)];
    const todo = 'For real money set the key of the live mode.';
    return [missing(name, `It answers and takes the key, in test mode. ${webhook}`, todo)];
  });
}

export async function checkSignIn(config: Config): Promise<Finding[]> {
  const check = 'sign-in';
  if (config.OIDC_CLIENT_ID === undefined) {
    const todo = 'Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET';
    if (config.isProduction && !config.AUTH_EMAIL_SIGNUP)
      return [fault(check, 'Nobody can sign up.', `${todo}, or AUTH_EMAIL_SIGNUP=true.`)];
    return [missing(check, 'No Google button for others.', `${todo}.`)];
  }
  const issuer = config.OIDC_ISSUER;
  return attempt(check, `${issuer} cannot be reached`, SEE_INTERNET, async () => {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: inTime() });
    if (!answer.ok) return [fault(check, `${issuer} answers ${answer.status}.`, 'Check OIDC_ISSUER.')];
    const message = (await answer.json()) as { issuer?: unknown };
    if (typeof message.issuer !== 'string' || message.issuer.replace(/\/$/, '') !== issuer)
      return [fault(check, `${issuer} is no such issuer.`, 'Check OIDC_ISSUER.')];
    const redirect = `${config.PUBLIC_ORIGIN ?? 'PUBLIC_ORIGIN'}/auth/google/callback`;
    return [ok(check, `${issuer} answers. The redirect address there must be ${redirect}.`)];
  });
}
