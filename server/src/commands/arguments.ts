import { parseArgs } from 'node:util';

/** The arguments of an operator's command. */

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

type OptionName = keyof typeof OPTIONS;
export type Options = ReturnType<typeof readArguments>['values'];

/** Prints the one answer of a command: as JSON where `--json` is given, else for a person. */
export type Print = (json: object, text: string) => void;

/** Where a command runs: the settings that it finds, and where it writes. */
export type Shell = {
  environment: Record<string, string | undefined>;
  out: (text: string) => void;
  err: (text: string) => void;
};

export type Given = Pick<Shell, 'environment' | 'err'> & {
  words: string[];
  options: Options;
  print: Print;
  /** Adds to what the log of commands says of this one: no address, and no secret. */
  note: (more: object) => void;
};

export type Command = {
  name: string;
  /** How many words follow, at most where fewer may. */
  words: number | { most: number };
  /** True where it changes something: then the log of commands has a line for it. */
  changes?: true;
  needs?: OptionName[];
  takes?: OptionName[];
  /** What stands in the usage, a line each: the words, then what they do. */
  usage: [words: string, does: string][];
  /** Returns the exit code. @throws ArgumentsError */
  run: (given: Given) => Promise<number>;
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

/** @throws when an option is unknown or lacks its value */
export function readArguments(given: string[]) {
  // What begins with a hyphen is an option, unless it is a number.
  const args = given.map((word) => (/^-\d+$/.test(word) ? `\u2212${word.slice(1)}` : word));
  return parseArgs({ args, allowPositionals: true, options: OPTIONS });
}

/** The command that these words name, and what follows its name. */
export function findCommand(
  commands: Command[],
  positionals: string[],
  options: Options,
): { command: Command; words: string[] } | undefined {
  const given: OptionName[] = (Object.keys(options) as OptionName[]).filter((name) => name !== 'json');
  for (const command of commands) {
    const name = command.name.split(' ');
    if (!name.every((word, index) => positionals[index] === word)) continue;
    const words = positionals.slice(name.length);
    const { needs = [], takes = [] } = command;
    const hasWords =
      typeof command.words === 'number' ? words.length === command.words : words.length <= command.words.most;
    const hasOptions = needs.every((option) => given.includes(option));
    if (hasWords && hasOptions && given.every((option) => needs.includes(option) || takes.includes(option)))
      return { command, words };
  }
  return undefined;
}

/** The usage of all commands, the words in one column. */
export function toUsage(commands: Command[]): string {
  const lines = commands.flatMap(({ usage }) => usage);
  return lines.map(([words, does]) => toUsageLine(`npm run admin -- ${words}`, does)).join('\n');
}

const COLUMN = 57;

function toUsageLine(words: string, does: string): string {
  const isLong = words.length >= COLUMN - 1;
  return isLong ? `${words}\n${' '.repeat(COLUMN)}${does}` : `${words.padEnd(COLUMN)}${does}`;
}
