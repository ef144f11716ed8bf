import { existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExpectedError } from '../errors.ts';

/** The account that runs the embedded Postgres, which refuses to run as root. */

type Account = { uid: number; gid: number };
/** The account, if it is not our own; `prefix` runs a command as it. */
export type Identity = { account?: Account; prefix: string[] };

/** Our own account or, for root, an unprivileged one. @throws ExpectedError if there is none */
export function findIdentity(folder: string, programs: string): Identity {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const account = findOwner(folder) ?? findAccount('postgres') ?? findAccount('nobody');
  if (account === undefined)
    throw new ExpectedError('Postgres does not run as root, and there is no account "nobody" to run it.');
  if (isOpenToOthers(folder) && isOpenToOthers(programs)) return { account, prefix: [] };
  // A parent folder is closed to others: the account only gets permission to traverse paths.
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (setpriv === undefined) {
    throw new ExpectedError(
      'Started as root below a folder that others may not enter. Start as an ordinary user, move the folder, or set DATABASE_URL.',
    );
  }
  const capability = findReadCapability();
  const idOptions = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  // initdb finds postgres with access(2), which ignores capabilities of ordinary accounts unless this bit is set.
  const capabilityOptions = [
    '--securebits=+no_setuid_fixup',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
  return { account, prefix: [setpriv, ...idOptions, ...capabilityOptions, '--'] };
}

/** Gives the folder to the account; recursively if root copied it. */
export function chownFolder({ uid, gid }: Account, folder: string, data: string): void {
  const hasOtherOwner = existsSync(data) && statSync(data).uid !== uid;
  const entries = hasOtherOwner ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const path of ['', ...entries]) lchownSync(join(folder, path), uid, gid);
}

/** The cluster's owner continues to run it; undefined if there is none yet or root created the folder. */
function findOwner(folder: string): Account | undefined {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function findAccount(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

// CAP_DAC_READ_SEARCH is bit 2; containers often hold only CAP_DAC_OVERRIDE, which includes it.
function findReadCapability(): 'dac_read_search' | 'dac_override' {
  const bits = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${bits}`) >> 2n) & 1n ? 'dac_read_search' : 'dac_override';
}

function isOpenToOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && folder !== path && (statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
