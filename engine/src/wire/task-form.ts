import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';

/** A task as it comes: a form with the skill's name, its input as JSON, and a file for each picture. */

export const FORM_LIMITS = {
  fileSize: 20 * 1024 * 1024,
  files: 4,
  fieldSize: 128 * 1024,
  fields: 2,
  parts: 6,
  headerPairs: 20,
};

export type TaskForm = {
  skill: string;
  input: unknown;
  /** Field name -> path of the bytes as sent. */
  pictures: Record<string, string>;
};

/** The form is not as it should be, or larger than it may be: an error that Fastify answers with its status. */
const makeFault = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });

/** Reads a form; its pictures go straight into `folder`, which must be there. @throws an error with a status */
export async function readTaskForm(request: FastifyRequest, folder: string): Promise<TaskForm> {
  const texts: Record<string, unknown> = {};
  const pictures: Record<string, string> = {};
  for await (const part of request.parts({ limits: FORM_LIMITS })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw makeFault(413, `the field ${part.fieldname} is too long`);
      texts[part.fieldname] = part.value;
      continue;
    }
    const path = join(folder, `picture-${Object.keys(pictures).length}`);
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    if (part.file.truncated) throw makeFault(413, 'a picture is larger than 20 MiB');
    pictures[part.fieldname] = path;
  }
  const { skill, input = '{}' } = texts;
  if (typeof skill !== 'string') throw makeFault(400, 'the skill is missing');
  return { skill, input: readJson(input), pictures };
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw makeFault(400, 'the input is not JSON');
  }
}
