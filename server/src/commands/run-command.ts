import { appendFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { ExpectedError } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { accountCommands } from './account-commands.ts';
import { backupCommands } from './backup-commands.ts';
import { findViolations } from './check.ts';
import { examine, toLines } from './doctor.ts';
import { engineModelCommands } from './engine-model.ts';
import { generationCommands } from './generation-commands.ts';
import { onData } from './open.ts';
import { packsCommand } from './packs-command.ts';
import { purchaseCommands } from './purchases-command.ts';
import { statementCommand } from './statement-command.ts';
import {
  type Command,
  CommandError,
  findCommand,
  readArguments,
  type Shell,
  toUsage,
  ArgumentsError,
} from './arguments.ts';

/**
 * Operator commands. Exit 1: violations, faults or a rejection; 2: no such user, purchase, generation or statement;
 * 4: something is in the way; 5: damaged or foreign archive; 64: bad arguments; 70: failed.
 */

const COMMANDS: Command[] = [
  {
    usage: 'check',
    does: 'holds ledger, files and generations against each other',
    run: onData(async ({ library }) => {
      const violations = await findViolations(library);
      const isWell = violations.length === 0;
      return { json: { violations }, text: isWell ? 'All is well.' : violations.join('\n'), code: isWell ? 0 : 1 };
    }),
  },
  {
    usage: 'doctor',
    does: 'says what is configured and tries every connection',
    run: async ({ environment }) => {
      const checks = await examine(environment);
      const isWell = checks.every(({ state }) => state !== 'fault');
      return { json: { ok: isWell, checks }, text: toLines(checks), code: isWell ? 0 : 1 };
    },
  },
  ...backupCommands,
  ...accountCommands,
  ...generationCommands,
  ...purchaseCommands,
  packsCommand,
  statementCommand,
  ...engineModelCommands,
];
const UNCLEAR_WORDS = 64;
const USAGE = `${toUsage(COMMANDS)}\n`;

/** Runs the named command; returns the exit code. */
export async function runCommand(args: string[], shell: Shell): Promise<number> {
  const noted = {};
  let changing: string | undefined;
  const run = async (): Promise<number> => {
    const given = readArguments(args);
    const options = given.values;
    if (options.help === true) {
      shell.out(USAGE);
      return 0;
    }
    const { command, name, words } = findCommand(COMMANDS, given);
    if (command.changes === true) changing = name;
    const note = (more: object) => void Object.assign(noted, more);
    const { json, text, code = 0 } = await command.run({ words, options, note, environment: shell.environment });
    shell.out(`${options.json === true ? JSON.stringify(json) : text}\n`);
    return code;
  };
  const code = await run().catch((error: unknown) => printFault(error, shell));
  if (changing !== undefined && code !== UNCLEAR_WORDS) noteCommand(shell, changing, code, noted);
  return code;
}

/** Formats an error: one line if it is expected, else with its stack trace. */
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

/** Logs a command that may have changed something to `admin.log`, or to stderr. */
function noteCommand({ environment, err }: Shell, command: string, code: number, noted: object): void {
  const write = (line: string) => {
    try {
      appendFileSync(join(readConfig(environment).DATA_DIR, 'admin.log'), line, { mode: 0o600 });
    } catch {
      // The log file is not writable, but the command has done its work.
      err(line);
    }
  };
  const line = { event: 'admin_command', command, code, operator: findOperator(), ...noted };
  createLog('info', 'admin', { write }).info(line, 'operator command');
}

/** The user's name, or its uid if it has none, as in some containers. */
function findOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
