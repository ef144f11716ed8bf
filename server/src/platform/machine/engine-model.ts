import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const SHA256 = /^[0-9a-f]{64}$/;

/** The cut-out network that an operator installed for the built-in engine: a folder, and a note in the data folder. */
const engineModelSchema = z.object({
  /** SHA-256 of the network, lower-case hex; the folder of `models` with its card is named like it. */
  sha256: z.string().regex(SHA256),
  /** Resident memory that one worker may take with this network, in MB (2^20 bytes). */
  workerMegabytes: z.number().int().positive(),
  source: z.string(),
  installedAt: z.iso.datetime(),
});

export type EngineModel = z.infer<typeof engineModelSchema>;

export const CARD_FILE = 'card.json';
export const modelsFolder = (dataDir: string): string => join(dataDir, 'models');
const notePath = (dataDir: string): string => join(dataDir, 'engine-model.json');

/** @throws when the note is there but not as this product writes it */
export function findEngineModel(dataDir: string): EngineModel | undefined {
  if (!existsSync(notePath(dataDir))) return undefined;
  const note = JSON.parse(readFileSync(notePath(dataDir), 'utf8')) as object;
  // Of a version that kept settings instead of a card: its network is installed anew.
  return 'settings' in note ? undefined : engineModelSchema.parse(note);
}

/** Notes the model, or with nothing that none is installed. */
export function saveEngineModel(dataDir: string, model: EngineModel | undefined): void {
  if (model === undefined) return rmSync(notePath(dataDir), { force: true });
  const draft = `${notePath(dataDir)}.new`;
  writeFileSync(draft, `${JSON.stringify(model, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, notePath(dataDir));
}

/** Removes the networks that are not installed any more; only where no other process is at work on the folder. */
export function removeOldModels(dataDir: string): void {
  const kept = findEngineModel(dataDir)?.sha256;
  const folder = modelsFolder(dataDir);
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (SHA256.test(name) && name !== kept) rmSync(join(folder, name), { recursive: true, force: true });
}

/** The engine's settings for the installed model; none when there is none. */
export function readEngineModelSettings(dataDir: string): Record<string, string> {
  const model = findEngineModel(dataDir);
  if (!model) return {};
  return {
    ENGINE_CUTOUT_CARD: join(modelsFolder(dataDir), model.sha256, CARD_FILE),
    ENGINE_WORKER_MEGABYTES: String(model.workerMegabytes),
  };
}
