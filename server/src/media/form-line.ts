import { availableParallelism } from 'node:os';
import { MEBIBYTE } from '@plinth/contract/limits';
import type { FastifyRequest } from 'fastify';
import { type Line, makeLine } from '../platform/line.ts';
import { type FormOptions, type PictureForm, readPictureForm } from './form.ts';

/** More forms at work than this would only wait for each other: for processors, threads and the database. */
const PLACES = Math.max(4, 2 * availableParallelism());

// So short that whoever is taken on in a storm is answered within two seconds; the work of a large photo is longer.
const PATIENCE_MS = 800;
const PATIENCE_MS_PER_MEBIBYTE = 300;

/** The line of everybody who wants pictures worked on. */
export const makeFormLine = (): Line => makeLine({ places: PLACES, size: Infinity });

/**
 * Reads a form and runs `work` with it when its turn has come; its files are deleted whatever happens.
 * @throws AppError as `readPictureForm`, and temporarily_unavailable in a storm
 */
export async function takeForm<Result>(
  request: FastifyRequest,
  options: FormOptions & { formLine: Line },
  work: (form: PictureForm) => Promise<Result>,
): Promise<Result> {
  const form = await readPictureForm(request, options);
  try {
    const size = [...form.files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const patienceMs = PATIENCE_MS + PATIENCE_MS_PER_MEBIBYTE * (size / MEBIBYTE);
    return await options.formLine.pass({ size, patienceMs }, () => work(form));
  } finally {
    await form.discard();
  }
}
