import { appendFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type pino from 'pino';
import { readConfig } from '../config.ts';
import { ExpectedError } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { accountCommands } from './account-commands.ts';
import { backupCommands } from './backup-commands.ts';
import { findViolations } from './check.ts';
import { examine, toLines } from './doctor.ts';
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
  type Shell,
  toUsage,
  ArgumentsError,
} from './arguments.ts';

/**
 * Operator commands. Exit 1: violations, faults or a refusal; 2: no such user, purchase, generation or statement;
 * 4: something is in the way; 5: damaged or foreign archive; 64: bad arguments; 70: failed.
 */

const COMMANDS: Command[] = [
  {
    name: 'check',
    words: 0,
    usage: [['check [--json]', 'holds ledger, files and generations against each other']],
    run: ({ print, environment }) =>
      withLibrary(environment, async ({ library }) => {
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

async function runDoctor({ print, environment }: Given): Promise<number> {
  const checks = await examine(environment);
  const isWell = checks.every(({ state }) => state !== 'fault');
  print({ ok: isWell, checks }, toLines(checks));
  return isWell ? 0 : 1;
}

/** Runs the command that these arguments name; returns the exit code. */
export function runCommand(args: string[], shell: Shell): Promise<number> {
  return run(args, shell).catch((error: unknown) => printFault(error, shell));
}

async function run(args: string[], shell: Shell): Promise<number> {
  const { values: options, positionals } = readOptions(args);
  const { environment, out, err } = shell;
  if (options.help === true) {
    out(USAGE);
    return 0;
  }
  const found = findCommand(COMMANDS, positionals, options);
  if (found === undefined) throw new ArgumentsError();
  const print = (json: object, text: string) => out(`${options.json === true ? JSON.stringify(json) : text}\n`);
  const { command, words } = found;
  const noted = {};
  const note = (more: object) => void Object.assign(noted, more);
  const code = await command
    .run({ words, options, print, note, environment, err })
    .catch((error: unknown) => printFault(error, shell));
  if (command.changes === true && code !== UNCLEAR_WORDS) noteCommand(shell, command.name, code, noted);
  return code;
}

function readOptions(args: string[]): { values: Options; positionals: string[] } {
  try {
    return readArguments(args);
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

/** One line where it is clear what is wrong, else with the trace. */
function printFault(error: unknown, { err }: Shell): number {
  if (error instanceof ArgumentsError) {
    err(`${error.message === '' ? '' : `${error.message}\n`}${USAGE}`);
    return UNCLEAR_WORDS;
  }
  if (error instanceof CommandError) {
    err(`${error.message}\n`);
    return error.exitCode;
  }
  const text = error instanceof ExpectedError ? error.message : error instanceof Error ? error.stack : String(error);
  err(`${text}\n`);
  return 70;
}

/** Appends a line about a command that may have changed something to `admin.log`, or to standard error. */
function noteCommand(shell: Shell, command: string, code: number, noted: object): void {
  const line = { event: 'admin_command', command, code, operator: userInfo().username, ...noted };
  createLog('info', openCommandLog(shell), 'admin').info(line, 'operator command');
}

/** What cannot be written ends no command: that has done its work. */
function openCommandLog({ environment, err }: Shell): pino.DestinationStream {
  return {
    write: (line) => {
      try {
        const { DATA_DIR } = readConfig(environment);
        appendFileSync(join(DATA_DIR, 'admin.log'), line, { mode: 0o600 });
      } catch {
        // Wrong settings, no such folder, a file of somebody else, no room.
        err(line);
      }
    },
  };
}
