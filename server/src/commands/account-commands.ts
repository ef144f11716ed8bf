import { deleteAccount } from '../account/deletion.ts';
import { findAccount } from '../auth/accounts.ts';
import { deleteKeys } from '../auth/keys.ts';
import { endAllSessions, endSessions } from '../auth/sessions.ts';
import { adjustCredits, lockCredits, refuseClosedAccount } from '../credits/ledger.ts';
import type { Library } from '../media/library.ts';
import { transaction } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { hashUserId } from '../platform/http/request-log.ts';
import { onData, withLibrary } from './open.ts';
import { type Answer, ArgumentsError, type Command, type CommandInput } from './arguments.ts';

const MAX_CREDITS = 1_000_000;

/** Commands about an account. Exit 2: no such user; 1: the balance would become negative. */
export const accountCommands: Command[] = [
  {
    usage: 'delete-user --email ADDRESS',
    does: 'deletes an account and its files',
    changes: true,
    run: (input) => onAccount(input, input.options.email, { deleted: false }, deleteUser),
  },
  {
    usage: 'sessions end ADDRESS',
    does: 'signs a person out everywhere',
    changes: true,
    run: (input) => endAccess(input, endSessions, sayEnded),
  },
  {
    usage: 'sessions end --all',
    does: 'signs everybody out',
    changes: true,
    run: onData(async ({ library: { db, clock } }) =>
      sayEnded(await transaction(db, (tx) => endAllSessions(tx, clock, 'signed_out'))),
    ),
  },
  {
    usage: 'keys delete ADDRESS',
    does: "deletes a person's API keys",
    changes: true,
    run: (input) =>
      endAccess(input, deleteKeys, (keysDeleted) => ({ json: { keysDeleted }, text: `${keysDeleted} keys deleted.` })),
  },
  {
    usage: 'credits adjust ADDRESS +N|-N --reason TEXT',
    does: 'gives or takes credits; the reason is in the ledger',
    changes: true,
    run: adjust,
  },
];

const sayEnded = (sessionsEnded: number): Answer => ({
  json: { sessionsEnded },
  text: `${sessionsEnded} sessions ended.`,
});

/** Changes the account of this address; `unchanged` is the JSON output without an account. */
function onAccount(
  { note, environment }: CommandInput,
  email = '',
  unchanged: object,
  work: (library: Library, userId: string) => Promise<Answer | undefined>,
): Promise<Answer> {
  return withLibrary(environment, async ({ library }) => {
    const account = await findAccount(library.db, email);
    if (account) note({ user: hashUserId(account.id) });
    const answer = account && (await work(library, account.id));
    return answer ?? { json: unchanged, text: 'There is no such user.', code: 2 };
  });
}

/** Ends all access of one kind; `say` reports the number. */
function endAccess(input: CommandInput, end: typeof deleteKeys | typeof endSessions, say: (count: number) => Answer) {
  return onAccount(input, input.words[0], say(0).json, async ({ db, clock }, userId) =>
    say(await transaction(db, (tx) => end(tx, clock, { userId }, 'signed_out'))),
  );
}

async function deleteUser(library: Library, userId: string): Promise<Answer | undefined> {
  const deleted = await deleteAccount(library, userId);
  if (deleted === undefined) return undefined;
  const left = deleted.filesLeft === 0 ? '' : ` ${deleted.filesLeft} files follow when the storage is back.`;
  const text = `Deleted, with ${deleted.mediaDeleted} results and ${deleted.sessionsEnded} sessions.${left}`;
  return { json: deleted, text };
}

async function adjust(input: CommandInput): Promise<Answer> {
  const [email, amount = ''] = input.words;
  const reason = input.options.reason?.trim() ?? '';
  const delta = Number(amount.replace('\u2212', '-'));
  if (!Number.isSafeInteger(delta) || delta === 0 || Math.abs(delta) > MAX_CREDITS)
    throw new ArgumentsError(`Credits are a whole number up to ${MAX_CREDITS}, and not 0.`);
  if (reason === '' || reason.length > 500) throw new ArgumentsError('Give a reason of 500 signs at most.');
  return onAccount(input, email, { adjusted: false }, async ({ db }, userId) => {
    input.note({ delta });
    try {
      return await transaction(db, async (tx) => {
        const credits = await lockCredits(tx, userId);
        await refuseClosedAccount(tx, userId);
        const adjusted = { adjusted: true, delta, credits: credits + delta };
        if (adjusted.credits < 0) {
          const text = `There are only ${credits} credits. Nothing was changed.`;
          return { json: { ...adjusted, adjusted: false, credits }, text, code: 1 };
        }
        await adjustCredits(tx, { userId, credits: delta, note: reason });
        return { json: adjusted, text: `The balance is ${adjusted.credits} now.` };
      });
    } catch (error) {
      // The account was deleted in the meantime.
      if (error instanceof AppError) return undefined;
      throw error;
    }
  });
}
