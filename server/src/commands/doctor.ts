import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { CertificateError, isMadeForSigning, readOperatorCertificate, splitChain } from '../origin/certificate.ts';
import { systemClock } from '../platform/clock.ts';
import { checkDatabase } from './doctor-database.ts';
import { fault, type Finding, missing, ok } from './doctor-findings.ts';
import { checkFal, checkPayments, checkSignIn, checkStability, checkStorage } from './doctor-wires.ts';

const CONNECTIONS = {
  database: checkDatabase,
  storage: checkStorage,
  fal: checkFal,
  stability: checkStability,
  payments: checkPayments,
  'sign-in': checkSignIn,
};
const TIMEOUT_MS = 15_000;
const timedOut = (check: string) => [fault(check, 'No answer in 15 s.', 'See whether a firewall is in between.')];

/** Checks every setting and every configured connection, concurrently. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((says) => fault('settings', says, 'Mend it in .env.'));
  }
  const tried = await Promise.all(
    Object.entries(CONNECTIONS).map(([check, look]) =>
      Promise.race([look(config), sleep(TIMEOUT_MS, timedOut(check))]),
    ),
  );
  return [
    ok('settings', 'They fit together.'),
    checkOrigin(config),
    ...tried.flat(),
    checkCertificate(config),
    checkSeller(config),
  ];
}

/** Formats the findings for people. */
export function toLines(findings: Finding[]): string {
  return findings
    .map(({ check, state, says, todo }) => {
      const line = `${state.padEnd(8)} ${check.padEnd(10)} ${says}`;
      return todo === undefined ? line : `${line} ${todo}`;
    })
    .join('\n');
}

function checkOrigin({ PUBLIC_ORIGIN: origin, isProduction }: Config): Finding {
  const todo = 'Set PUBLIC_ORIGIN to the https address that people type.';
  if (origin === undefined) return missing('origin', 'Only this machine can use it.', todo);
  return ok('origin', `${origin}${isProduction ? '' : ', for trying out'}.`);
}

function checkCertificate(config: Config): Finding {
  const check = 'signature';
  try {
    const operator = readOperatorCertificate(config, systemClock.now());
    const [leaf] = operator === undefined ? [] : splitChain(operator.chain);
    if (leaf === undefined)
      return missing(
        check,
        'Files are signed with a certificate that this installation makes for itself.',
        'Set C2PA_CERT and C2PA_KEY to one that readers know.',
      );
    const until = new Date(leaf.validTo).toISOString().slice(0, 10);
    if (isMadeForSigning(leaf)) return ok(check, `Files are signed with your certificate until ${until}.`);
    return missing(
      check,
      'Readers will not take what your certificate signs.',
      'Use one that names an organisation, is signed by another and is made for signing documents or e-mail.',
    );
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return fault(check, `${error.message}.`, 'Mend the file or the setting.');
  }
}

function checkSeller(config: Config): Finding {
  const unset = (['SELLER_NAME', 'SELLER_ADDRESS', 'CONTACT_EMAIL'] as const).filter((name) => !config[name]);
  if (unset.length === 0) return ok('seller', 'Receipts and legal pages name you.');
  return missing('seller', 'Receipts and legal pages do not name you.', `Set ${unset.join(', ')}.`);
}
