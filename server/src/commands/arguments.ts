import { parseArgs } from 'node:util';

/** What an operator's command is, and how the words of a line name one. */

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

/** Where a command runs: the settings that it finds, and where it writes. */
export type Shell = {
  environment: Record<string, string | undefined>;
  out: (text: string) => void;
  err: (text: string) => void;
};

export type Given = Pick<Shell, 'environment'> & {
  words: string[];
  options: Options;
  /** Adds to what the log of commands says of this one: no address, and no secret. */
  note: (more: object) => void;
};

/** Printed as JSON where `--json` is given, else as text for a person. `code` is the exit code where that is not 0. */
export type Answer = { json: object; text: string; code?: number };

export type Command = {
  /** Words in small letters name it, others stand for what follows; an option in brackets may be left out. */
  usage: string;
  does: string;
  /** True where it changes something: then the log of commands has a line for it. */
  changes?: true;
  /** @throws ArgumentsError, CommandError */
  run: (given: Given) => Promise<Answer>;
};

/** The words name a command, and still say nothing. */
export class ArgumentsError extends Error {}

/** Something of the operator's is there and is left as it is: an archive, an installation, a running product. */
export const IN_THE_WAY = 4;
/** An archive that cannot be read, or belongs to a newer version. */
export const DAMAGED = 5;
export const NOT_DONE = 70;

/** It cannot be done, and one sentence says why; `exitCode` is one of those above. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @throws ArgumentsError when an option is unknown or lacks its value */
export function readArguments(given: string[]) {
  // What begins with a hyphen is an option, unless it is a number.
  const args = given.map((word) => (/^-\d+$/.test(word) ? `\u2212${word.slice(1)}` : word));
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

/** The command that these arguments name, its name, and the words that follow that. @throws ArgumentsError */
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

/** The usage of all commands, what they do in one column. */
export function toUsage(commands: Command[]): string {
  return commands.map(({ usage, does }) => toUsageLine(`npm run admin -- ${usage} [--json]`, does)).join('\n');
}

const COLUMN = 57;

function toUsageLine(words: string, does: string): string {
  const isLong = words.length >= COLUMN - 1;
  return isLong ? `${words}\n${' '.repeat(COLUMN)}${does}` : `${words.padEnd(COLUMN)}${does}`;
}
