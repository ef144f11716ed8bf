import { deleteAccount } from '../account/deletion.ts';
import { findAccount } from '../auth/accounts.ts';
import { deleteKeys } from '../auth/keys.ts';
import { endAllSessions, endSessions } from '../auth/sessions.ts';
import { adjustCredits, lockCredits, refuseClosedAccount } from '../credits/ledger.ts';
import { type Db, transaction } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { hashUserId } from '../platform/http/request-log.ts';
import { withLibrary } from './open.ts';
import { type Command, type Given, ArgumentsError } from './arguments.ts';

const NO_SUCH_USER = 'There is no such user.';
const MOST_CREDITS = 1_000_000;

/** What an operator does to an account. Exit 2: there is no such user; 1: it would fall below zero. */
export const accountCommands: Command[] = [
  {
    name: 'delete-user',
    changes: true,
    words: 0,
    needs: ['email'],
    usage: [['delete-user --email ADDRESS [--json]', 'deletes an account and its files']],
    run: deleteUser,
  },
  {
    name: 'sessions end',
    changes: true,
    words: 1,
    usage: [['sessions end ADDRESS [--json]', 'signs a person out everywhere']],
    run: (given) =>
      shutOut(given, endSessions, (sessionsEnded) => [{ sessionsEnded }, `${sessionsEnded} sessions ended.`]),
  },
  {
    name: 'sessions end',
    changes: true,
    words: 0,
    needs: ['all'],
    usage: [['sessions end --all [--json]', 'signs everybody out']],
    run: ({ print, environment }) =>
      withLibrary(environment, async ({ library: { db, clock } }) => {
        const sessionsEnded = await transaction(db, (tx) => endAllSessions(tx, clock, 'signed_out'));
        print({ sessionsEnded }, `${sessionsEnded} sessions ended.`);
        return 0;
      }),
  },
  {
    name: 'keys delete',
    changes: true,
    words: 1,
    usage: [['keys delete ADDRESS [--json]', "deletes a person's API keys"]],
    run: (given) => shutOut(given, deleteKeys, (keysDeleted) => [{ keysDeleted }, `${keysDeleted} keys deleted.`]),
  },
  {
    name: 'credits adjust',
    changes: true,
    words: 2,
    needs: ['reason'],
    usage: [
      ['credits adjust ADDRESS +N|-N --reason TEXT [--json]', 'gives or takes credits; the reason is in the ledger'],
    ],
    run: adjust,
  },
];

/** Ends all of one kind that lets somebody in; `say` gives the JSON and the sentence of how many they were. */
function shutOut(
  { words: [email = ''], print, note, environment }: Given,
  end: typeof deleteKeys | typeof endSessions,
  say: (count: number) => [answer: object, sentence: string],
): Promise<number> {
  return withLibrary(environment, async ({ library: { db, clock } }) => {
    const account = await findAccount(db, email);
    if (account) note({ user: hashUserId(account.id) });
    const count = account && (await transaction(db, (tx) => end(tx, clock, { userId: account.id }, 'signed_out')));
    const [answer, sentence] = say(count ?? 0);
    print(answer, account ? sentence : NO_SUCH_USER);
    return account === undefined ? 2 : 0;
  });
}

function deleteUser({ options, print, note, environment }: Given): Promise<number> {
  return withLibrary(environment, async ({ library }) => {
    const account = await findAccount(library.db, options.email ?? '');
    if (account) note({ user: hashUserId(account.id) });
    const deleted = account && (await deleteAccount(library, account.id));
    if (deleted === undefined) {
      print({ deleted: false }, NO_SUCH_USER);
      return 2;
    }
    const left = deleted.filesLeft === 0 ? '' : ` ${deleted.filesLeft} files follow when the storage is back.`;
    print(deleted, `Deleted, with ${deleted.mediaDeleted} results and ${deleted.sessionsEnded} sessions.${left}`);
    return 0;
  });
}

async function adjust({ words: [email = '', amount = ''], options, ...given }: Given): Promise<number> {
  const { print, note, environment } = given;
  const reason = options.reason?.trim() ?? '';
  const delta = Number(amount.replace('\u2212', '-'));
  if (!Number.isSafeInteger(delta) || delta === 0 || Math.abs(delta) > MOST_CREDITS)
    throw new ArgumentsError(`Credits are a whole number up to ${MOST_CREDITS}, and not 0.`);
  if (reason === '' || reason.length > 500) throw new ArgumentsError('Give a reason of 500 signs at most.');
  return withLibrary(environment, async ({ library: { db } }) => {
    const account = await findAccount(db, email);
    if (account) note({ user: hashUserId(account.id), delta });
    const outcome = account && (await adjustUnlessPoor(db, { userId: account.id, credits: delta, note: reason }));
    if (outcome === undefined) {
      print({ adjusted: false }, NO_SUCH_USER);
      return 2;
    }
    const { isDone, credits } = outcome;
    const text = isDone ? `The balance is ${credits} now.` : `There are only ${credits} credits. Nothing was changed.`;
    print({ adjusted: isDone, delta, credits }, text);
    return isDone ? 0 : 1;
  });
}

/** Undefined where the account is gone meanwhile. */
function adjustUnlessPoor(
  db: Db,
  adjustment: { userId: string; credits: number; note: string },
): Promise<{ isDone: boolean; credits: number } | undefined> {
  return transaction(db, async (tx) => {
    const credits = await lockCredits(tx, adjustment.userId);
    await refuseClosedAccount(tx, adjustment.userId);
    if (credits + adjustment.credits < 0) return { isDone: false, credits };
    await adjustCredits(tx, adjustment);
    return { isDone: true, credits: credits + adjustment.credits };
  }).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
}
