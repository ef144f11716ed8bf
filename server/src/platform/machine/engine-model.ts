import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The matting network that an operator installed for the built-in engine: a file and a note in the data folder. */
const engineModelSchema = z.object({
  /** Name of the file in the folder `models`. */
  file: z.string().regex(/^[0-9a-f]{64}\.onnx$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
  /** ENGINE_MATTING_* settings that say how the network wants its pictures. */
  settings: z.record(z.string().regex(/^ENGINE_MATTING_[A-Z]+$/), z.string()),
  /** Resident memory that one worker may take with this network, in MB (2^20 bytes); older notes have none. */
  workerMegabytes: z.number().int().positive().optional(),
  source: z.string(),
  installedAt: z.iso.datetime(),
});

export type EngineModel = z.infer<typeof engineModelSchema>;

export const modelsFolder = (dataDir: string): string => join(dataDir, 'models');
const notePath = (dataDir: string): string => join(dataDir, 'engine-model.json');

/** @throws when the note is there but not as this product writes it */
export function findEngineModel(dataDir: string): EngineModel | undefined {
  if (!existsSync(notePath(dataDir))) return undefined;
  return engineModelSchema.parse(JSON.parse(readFileSync(notePath(dataDir), 'utf8')));
}

/** Notes the model, or with nothing that none is installed; files of earlier ones go. */
export function saveEngineModel(dataDir: string, model: EngineModel | undefined): void {
  const earlier = findEngineModel(dataDir);
  if (model) {
    const draft = `${notePath(dataDir)}.new`;
    writeFileSync(draft, `${JSON.stringify(model, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, notePath(dataDir));
  } else rmSync(notePath(dataDir), { force: true });
  if (earlier && earlier.file !== model?.file) rmSync(join(modelsFolder(dataDir), earlier.file), { force: true });
}

/** The engine's settings for the installed model; none when there is none. */
export function readEngineModelSettings(dataDir: string): Record<string, string> {
  const model = findEngineModel(dataDir);
  if (!model) return {};
  return {
    ...model.settings,
    ENGINE_MATTING_MODEL: join(modelsFolder(dataDir), model.file),
    ENGINE_MATTING_SHA256: model.sha256,
    ...(model.workerMegabytes !== undefined && { ENGINE_WORKER_MEGABYTES: String(model.workerMegabytes) }),
  };
}
