import { readFile } from 'node:fs/promises';
import type { Files } from '../work/files.ts';
import type { Submission } from '../work/jobs.ts';
import { unwrapPicture, type Fields, type Input } from '../skills/fields.ts';

/** Turns the picture fields of a submit into bytes. Nothing is ever fetched: a data URL or one of our own uploads. */

export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

/** `input` without its pictures: what is kept and logged never holds picture bytes. */
type Taken = Pick<Submission, 'pictures' | 'problems' | 'input'>;

export async function takePictures(fields: Fields, input: Input, files: Files, host: string): Promise<Taken> {
  const taken: Taken = { pictures: {}, problems: [], input: { ...input } };
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'picture') continue;
    const value = unwrapPicture(field, input[name]);
    if (typeof value !== 'string' || value === '') continue;
    delete taken.input[name];
    const bytes = value.startsWith('data:') ? readDataUrl(value) : await readOwnFile(value, files, host);
    if (typeof bytes === 'string') taken.problems.push({ loc: ['body', name], msg: SENTENCES[bytes], type: bytes });
    else taken.pictures[name] = bytes;
  }
  return taken;
}

const SENTENCES = {
  file_download_error: 'The picture could not be read from this address. Upload it or send a data URL.',
  image_load_error: 'The picture could not be read.',
  file_too_large: 'The file is larger than 20 MB.',
} as const;

function readDataUrl(url: string): Uint8Array | keyof typeof SENTENCES {
  const match = /^data:[^,;]*(?:;[^,;]+)*;base64,/.exec(url.slice(0, 200));
  if (!match) return 'image_load_error';
  const bytes = Buffer.from(url.slice(match[0].length), 'base64');
  if (bytes.length === 0) return 'image_load_error';
  return bytes.length > MAX_PICTURE_BYTES ? 'file_too_large' : bytes;
}

async function readOwnFile(address: string, files: Files, host: string): Promise<Uint8Array | keyof typeof SENTENCES> {
  if (!URL.canParse(address)) return 'file_download_error';
  const url = new URL(address);
  const match = /^\/files\/([\w-]+)\/([\w.-]+)$/.exec(url.pathname);
  const isOurs = url.protocol === 'http:' && (url.host === host || LOOPBACK.includes(url.hostname));
  if (!match?.[1] || !match[2] || !isOurs) return 'file_download_error';
  const file = await files.findFile(match[1], match[2]);
  if (!file) return 'file_download_error';
  return file.sizeBytes > MAX_PICTURE_BYTES ? 'file_too_large' : readFile(file.path);
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
