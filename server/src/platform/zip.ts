import { type PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Clock } from './clock.ts';

/** Adds one file; `compress` unless it is compressed already. Resolves once its content has been read. */
export type AddFile = (content: Readable, file: string, compress: boolean) => Promise<void>;

/** Permissions of extracted files: writable for their owner, readable for others. */
const DEFAULT_MODE = 0o100664;

/** A ZIP that is streamed while `fill` adds files one at a time. */
export function streamZip(clock: Clock, fill: (add: AddFile) => Promise<void>, mode = DEFAULT_MODE): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let current: Readable | undefined;
  const add: AddFile = async (content, file, compress) => {
    current = content;
    if (output.destroyed) content.destroy();
    else zip.addReadStream(content, file, { compress, mtime: clock.now(), mode });
    await finished(content);
  };
  zip.on('error', (error: Error) => output.destroy(error));
  output.once('close', () => current?.destroy());
  fill(add)
    .then(() => zip.end())
    .catch((error: Error) => output.destroy(error));
  return output;
}

/** Makes names distinct on every system by appending numbers. */
export function makeUniqueNames(reserved: string[]): (name: string, ending: string) => string {
  const used = new Set(reserved);
  return (name, ending) => {
    let candidate = name + ending;
    for (let number = 2; used.has(fold(candidate)); number += 1) candidate = `${name}-${number}${ending}`;
    used.add(fold(candidate));
    return candidate;
  };
}

/** Windows and macOS ignore case; macOS also ignores how accented letters are composed. */
const fold = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
