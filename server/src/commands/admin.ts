import { environment } from '../config.ts';
import { ExpectedError } from '../platform/errors.ts';
import { accountCommands } from './account-commands.ts';
import { backupCommands } from './backup-commands.ts';
import { findViolations } from './check.ts';
import { examine, toLines } from './doctor.ts';
import { noteCommand } from './command-log.ts';
import { engineModelCommands } from './engine-model.ts';
import { generationCommands } from './generation-commands.ts';
import { withLibrary } from './open.ts';
import { packCommands } from './packs-command.ts';
import { purchaseCommands } from './purchases-command.ts';
import { statementCommands } from './statement-command.ts';
import {
  type Command,
  CommandError,
  findCommand,
  type Given,
  type Options,
  readArguments,
  toUsage,
  ArgumentsError,
} from './arguments.ts';

/**
 * Operator commands: read the arguments, open what is needed, call a room, print. Exit 1: violations or faults were
 * found, or it was refused; 2: there is no such user, purchase, generation or statement; 3: the licence was not
 * accepted; 4: something is in the way; 5: the archive is damaged or of another version; 64: unknown command or bad
 * arguments; 70: failed.
 */

const COMMANDS: Command[] = [
  {
    name: 'check',
    words: 0,
    usage: [['check [--json]', 'holds ledger, files and generations against each other']],
    run: ({ print }) =>
      withLibrary(async ({ library }) => {
        const violations = await findViolations(library);
        print({ violations }, violations.length === 0 ? 'All is well.' : violations.join('\n'));
        return violations.length === 0 ? 0 : 1;
      }),
  },
  {
    name: 'doctor',
    words: 0,
    usage: [['doctor [--json]', 'says what is configured and tries every connection']],
    run: runDoctor,
  },
  ...backupCommands,
  ...accountCommands,
  ...generationCommands,
  ...purchaseCommands,
  ...packCommands,
  ...statementCommands,
  ...engineModelCommands,
];
const UNCLEAR_WORDS = 64;
const USAGE = `${toUsage(COMMANDS)}\n`;

async function runDoctor({ print }: Given): Promise<number> {
  const checks = await examine(environment());
  const isWell = checks.every(({ state }) => state !== 'fault');
  print({ ok: isWell, checks }, toLines(checks));
  // What does not answer in time is not waited for.
  process.exit(isWell ? 0 : 1);
}

async function runWords(): Promise<number> {
  const { values: options, positionals } = readOptions();
  if (options.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const found = findCommand(COMMANDS, positionals, options);
  if (found === undefined) throw new ArgumentsError();
  const print = (json: object, text: string) =>
    process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`);
  const { command, words } = found;
  const noted: object[] = [];
  const code = await command.run({ words, options, print, note: (more) => void noted.push(more) }).catch(printFault);
  if (command.changes === true && code !== UNCLEAR_WORDS) noteCommand(command.name, code, noted);
  return code;
}

function readOptions(): { values: Options; positionals: string[] } {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

/** One line where it is clear what is wrong, else with the trace. */
function printFault(error: unknown): number {
  if (error instanceof ArgumentsError) {
    process.stderr.write(`${error.message === '' ? '' : `${error.message}\n`}${USAGE}`);
    return UNCLEAR_WORDS;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  const text = error instanceof ExpectedError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  return 70;
}

process.exitCode = await runWords().catch(printFault);
