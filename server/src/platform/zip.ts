import { type PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Clock } from './clock.ts';

/** Puts one file in; `compress` is for what is not compressed already. Resolves once the content was read whole. */
export type AddFile = (content: Readable, file: string, compress: boolean) => Promise<void>;

/** Of the files as they are unpacked: their owner writes, and others may read. */
const USUAL_MODE = 0o100664;

/** A ZIP streamed while it is read; `fill` adds the files one at a time. */
export function streamZip(clock: Clock, fill: (add: AddFile) => Promise<void>, mode = USUAL_MODE): Readable {
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

/** Names that no system takes for the same; a number keeps the others apart. */
export function makeApart(given: string[]): (name: string, ending: string) => string {
  const taken = new Set(given);
  return (name, ending) => {
    let apart = name + ending;
    for (let number = 2; taken.has(fold(apart)); number += 1) apart = `${name}-${number}${ending}`;
    taken.add(fold(apart));
    return apart;
  };
}

/** Windows and macOS take no regard to case; macOS none to how a letter with an accent is composed. */
const fold = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
