import { parseArgs } from 'node:util';

/** Definition and parsing of operator commands. */

const OPTIONS = {
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  email: { type: 'string' },
  all: { type: 'boolean' },
  reason: { type: 'string' },
  review: { type: 'boolean' },
  replace: { type: 'boolean' },
  sha256: { type: 'string' },
  'older-than': { type: 'string' },
} as const;

type Options = ReturnType<typeof readArguments>['values'];

/** A command's environment and output. */
export type Shell = {
  environment: Record<string, string | undefined>;
  out: (text: string) => void;
  err: (text: string) => void;
};

export type CommandInput = Pick<Shell, 'environment'> & {
  words: string[];
  options: Options;
  /** Adds to this command's log line; no addresses or secrets. */
  note: (more: object) => void;
};

/** Printed as JSON with `--json`, else as text. `code`: the exit code if not 0. */
export type Answer = { json: object; text: string; code?: number };

export type Command = {
  /** Its usage: lower-case words name it, others are arguments; options in brackets are optional. */
  usage: string;
  does: string;
  /** True if it changes something and is logged. */
  changes?: true;
  /** Runs it. @throws ArgumentsError, CommandError */
  run: (given: CommandInput) => Promise<Answer>;
};

/** Invalid arguments of a command. */
export class ArgumentsError extends Error {}

/** Something is in the way and stays untouched: an archive, an installation, a running product. */
export const IN_THE_WAY = 4;
/** A damaged archive, or one of a newer version. */
export const DAMAGED = 5;
export const NOT_DONE = 70;

/** A command failed for the stated reason; `exitCode` is one of those above. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Parses options. @throws ArgumentsError if an option is unknown or lacks its value */
export function readArguments(given: string[]) {
  // A leading hyphen means an option, unless it is a number.
  const args = given.map((word) => (/^-\d+$/.test(word) ? `\u2212${word.slice(1)}` : word));
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

/** Finds the named command; returns it, its name, and the remaining arguments. @throws ArgumentsError */
export function findCommand(commands: Command[], { values, positionals }: ReturnType<typeof readArguments>) {
  const given = Object.keys(values).filter((option) => option !== 'json');
  for (const command of commands) {
    const { usage } = command;
    const expected = (usage.split(/ \[?--/)[0] ?? '').split(' ');
    const isNamed = expected.every((word, index) => !isName(word) || word === positionals[index]);
    if (!isNamed || positionals.length !== expected.length) continue;
    const known = listOptions(usage);
    const needed = listOptions(usage.replaceAll(/\[[^\]]*\]/g, ''));
    if (!given.every((option) => known.includes(option)) || !needed.every((option) => given.includes(option))) continue;
    const name = expected.filter(isName);
    return { command, name: name.join(' '), words: positionals.slice(name.length) };
  }
  throw new ArgumentsError();
}

const isName = (word: string): boolean => /^[a-z-]+$/.test(word);
const listOptions = (usage: string): string[] => usage.match(/(?<=--)[a-z\d-]+/g) ?? [];

/** The usage of all commands, with aligned descriptions. */
export function toUsage(commands: Command[]): string {
  return commands.map(({ usage, does }) => toUsageLine(`npm run admin -- ${usage} [--json]`, does)).join('\n');
}

const COLUMN = 57;

function toUsageLine(words: string, does: string): string {
  const isLong = words.length >= COLUMN - 1;
  return isLong ? `${words}\n${' '.repeat(COLUMN)}${does}` : `${words.padEnd(COLUMN)}${does}`;
}
