import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { CertificateError, isMadeForSigning, readOperatorCertificate, splitChain } from '../origin/certificate.ts';
import { systemClock } from '../platform/clock.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkFal, checkPayments, checkSignIn, checkStability, checkStorage } from './doctor-wires.ts';

/** One line of the doctor: what was looked at, how it stands, and what to do about it. Holds no secret. */
export type Finding = { check: string; state: 'ok' | 'missing' | 'fault'; says: string; todo?: string };

const PATIENCE_MS = 15_000;

/** Looks at every setting and tries every connection that is set, all at once. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((says) => ({ check: 'settings', state: 'fault', says, todo: 'Mend it in .env.' }));
  }
  const tried = await Promise.all([
    inTime('database', checkDatabase(config)),
    inTime('storage', checkStorage(config)),
    inTime('fal', checkFal(config)),
    inTime('stability', checkStability(config)),
    inTime('payments', checkPayments(config)),
    inTime('sign-in', checkSignIn(config)),
  ]);
  const settings: Finding = { check: 'settings', state: 'ok', says: 'They fit together.' };
  return [settings, checkOrigin(config), ...tried.flat(), checkCertificate(config), checkSeller(config)];
}

/** As lines for a person. */
export function toLines(findings: Finding[]): string {
  return findings
    .map(({ check, state, says, todo }) => {
      const line = `${state.padEnd(8)} ${check.padEnd(10)} ${says}`;
      return todo === undefined ? line : `${line} ${todo}`;
    })
    .join('\n');
}

async function inTime(check: string, looked: Promise<Finding[]>): Promise<Finding[]> {
  const late = sleep(PATIENCE_MS, [
    { check, state: 'fault' as const, says: 'No answer in 15 s.', todo: 'See whether a firewall is in between.' },
  ]);
  return Promise.race([looked, late]);
}

function checkOrigin({ PUBLIC_ORIGIN: origin, isProduction }: Config): Finding {
  if (origin === undefined)
    return {
      check: 'origin',
      state: 'missing',
      says: 'Only this machine can use it.',
      todo: 'Set PUBLIC_ORIGIN to the https address that people type.',
    };
  return { check: 'origin', state: 'ok', says: `${origin}${isProduction ? '' : ', for trying out'}.` };
}

function checkCertificate(config: Config): Finding {
  const check = 'signature';
  try {
    const operator = readOperatorCertificate(config, systemClock.now());
    const [leaf] = operator === undefined ? [] : splitChain(operator.chain);
    if (leaf === undefined)
      return {
        check,
        state: 'missing',
        says: 'Files are signed with a certificate that this installation makes for itself.',
        todo: 'Set C2PA_CERT and C2PA_KEY to one that readers know.',
      };
    const until = new Date(leaf.validTo).toISOString().slice(0, 10);
    if (isMadeForSigning(leaf))
      return { check, state: 'ok', says: `Files are signed with your certificate until ${until}.` };
    return {
      check,
      state: 'missing',
      says: 'Readers will not take what your certificate signs.',
      todo: 'Use one that names an organisation, is signed by another and is made for signing documents or e-mail.',
    };
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return { check, state: 'fault', says: `${error.message}.`, todo: 'Mend the file or the setting.' };
  }
}

function checkSeller(config: Config): Finding {
  const missing = (['SELLER_NAME', 'SELLER_ADDRESS', 'CONTACT_EMAIL'] as const).filter((name) => !config[name]);
  if (missing.length === 0) return { check: 'seller', state: 'ok', says: 'Receipts and legal pages name you.' };
  return {
    check: 'seller',
    state: 'missing',
    says: 'Receipts and legal pages do not name you.',
    todo: `Set ${missing.join(', ')}.`,
  };
}
