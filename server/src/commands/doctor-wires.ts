import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { makeProcessors } from '../make-processors.ts';
import type { Processor } from '../payments/processor.ts';
import { systemClock } from '../platform/clock.ts';
import { newToken } from '../platform/ids.ts';
import { openStorage } from '../platform/data/open-storage.ts';
import type { Finding } from './doctor.ts';
import { describeFailure } from './doctor-failure.ts';

const REQUEST_MS = 10_000;

/** Writes, reads and deletes a small object where uploads and results go. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  const check = 'storage';
  const isBucket = config.S3_BUCKET !== undefined;
  const place = isBucket ? `The bucket ${config.S3_BUCKET}` : 'The data folder';
  const storage = await openStorage(config);
  const key = `probe/${newToken()}.txt`;
  const content = Buffer.from('Written by the doctor; can be deleted.\n');
  try {
    await storage.put(key, content, 'text/plain');
    const isSame = (await storage.readWhole(key))?.equals(content) === true;
    await storage.remove(key);
    if (!isSame || (await storage.readWhole(key)) !== undefined)
      return [{ check, state: 'fault', says: `${place} does not keep what is written.`, todo: 'Use another storage.' }];
  } catch (error) {
    const todo = isBucket
      ? 'Check S3_ENDPOINT, S3_BUCKET and that its key may write, read and delete.'
      : 'Let the product write to DATA_DIR.';
    return [{ check, state: 'fault', says: `${place} cannot be used: ${describeFailure(error)}.`, todo }];
  }
  return [{ check, state: 'ok', says: `${place} takes, gives and deletes files.` }];
}

export async function checkFal(config: Config): Promise<Finding[]> {
  if (config.FAL_KEY === undefined)
    return [
      {
        check: 'fal',
        state: 'missing',
        says: 'The built-in engine serves the tools.',
        todo: "Set FAL_KEY for fal's models.",
      },
    ];
  // The state of a request that never was: costs nothing, and is answered only to a key that is known.
  const app = config.FAL_HEADSHOT_MODEL.split('/').slice(0, 2).join('/');
  const address = `${config.FAL_QUEUE_URL}/${app}/requests/${randomUUID()}/status`;
  return [await askWithKey('fal', 'FAL_KEY', address, `Key ${config.FAL_KEY}`, (status) => status < 500)];
}

export async function checkStability(config: Config): Promise<Finding[]> {
  if (config.STABILITY_KEY === undefined)
    return [{ check: 'stability', state: 'missing', says: 'Not used.', todo: 'Set STABILITY_KEY if you want it.' }];
  const address = `${config.STABILITY_URL}/v1/user/balance`;
  const authorization = `Bearer ${config.STABILITY_KEY}`;
  return [await askWithKey('stability', 'STABILITY_KEY', address, authorization, (status) => status === 200)];
}

async function askWithKey(
  check: string,
  setting: string,
  address: string,
  authorization: string,
  isWell: (status: number) => boolean,
): Promise<Finding> {
  try {
    const answer = await fetch(address, { headers: { authorization }, signal: AbortSignal.timeout(REQUEST_MS) });
    await answer.body?.cancel();
    if (answer.status === 401 || answer.status === 403)
      return { check, state: 'fault', says: `It refuses the key (${answer.status}).`, todo: `Set ${setting} anew.` };
    if (isWell(answer.status)) return { check, state: 'ok', says: 'It answers and takes the key.' };
    return { check, state: 'fault', says: `It answers ${answer.status}.`, todo: 'Try again later.' };
  } catch (error) {
    const says = `It cannot be reached: ${describeFailure(error)}.`;
    return { check, state: 'fault', says, todo: 'See whether this machine reaches the internet.' };
  }
}

/** The company that sells, and those that only send webhooks any more. */
export async function checkPayments(config: Config): Promise<Finding[]> {
  if (config.PAYMENTS === 'sandbox')
    return [
      {
        check: 'payments',
        state: 'missing',
        says: 'The sandbox gives credits without money.',
        todo: 'Set PAYMENTS=stripe or dodo, as docs/going-live.md says.',
      },
    ];
  const processors = await makeProcessors(config, '', systemClock);
  return Promise.all(processors.map((processor) => checkProcessor(config, processor)));
}

async function checkProcessor(config: Config, { name, probe }: Processor): Promise<Finding> {
  const check = name;
  try {
    await probe();
  } catch (error) {
    const setting = name === 'stripe' ? 'STRIPE_SECRET_KEY' : 'DODO_API_KEY and DODO_ENVIRONMENT';
    return { check, state: 'fault', says: `It cannot be used: ${describeFailure(error)}.`, todo: `Check ${setting}.` };
  }
  const webhook = `Its webhooks come to ${config.PUBLIC_ORIGIN ?? 'PUBLIC_ORIGIN'}/webhooks/${name}.`;
  const isLive =
    name === 'stripe' ? /^[sr]k_live_/.test(config.STRIPE_SECRET_KEY ?? '') : config.DODO_ENVIRONMENT === 'live_mode';
  if (isLive) return { check, state: 'ok', says: `It answers and takes the key, for real money. ${webhook}` };
  const todo = 'For real money set the key of the live mode.';
  return { check, state: 'missing', says: `It answers and takes the key, in test mode. ${webhook}`, todo };
}

export async function checkSignIn(config: Config): Promise<Finding[]> {
  const check = 'sign-in';
  if (config.OIDC_CLIENT_ID === undefined) {
    const todo = 'Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.';
    if (config.isProduction && !config.AUTH_EMAIL_SIGNUP)
      return [
        {
          check,
          state: 'fault',
          says: 'Nobody can sign up.',
          todo: `${todo.slice(0, -1)}, or AUTH_EMAIL_SIGNUP=true.`,
        },
      ];
    return [{ check, state: 'missing', says: 'No Google button for others.', todo }];
  }
  const issuer = config.OIDC_ISSUER;
  try {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    if (!answer.ok)
      return [{ check, state: 'fault', says: `${issuer} answers ${answer.status}.`, todo: 'Check OIDC_ISSUER.' }];
    const said = (await answer.json()) as { issuer?: unknown };
    if (typeof said.issuer !== 'string' || said.issuer.replace(/\/$/, '') !== issuer)
      return [{ check, state: 'fault', says: `${issuer} is no such issuer.`, todo: 'Check OIDC_ISSUER.' }];
  } catch (error) {
    const says = `${issuer} cannot be reached: ${describeFailure(error)}.`;
    return [{ check, state: 'fault', says, todo: 'See whether this machine reaches the internet.' }];
  }
  const redirect = `${config.PUBLIC_ORIGIN ?? 'PUBLIC_ORIGIN'}/auth/google/callback`;
  return [{ check, state: 'ok', says: `${issuer} answers. The redirect address there must be ${redirect}.` }];
}
