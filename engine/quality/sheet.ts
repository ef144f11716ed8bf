/**
 * npm run sheet: one page with input, result, time and figures of every sample, to be looked at with a harsh eye.
 * Two processes share the work, as the engine's workers do.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePage, type Sample } from './sheet-page.ts';
import { listWork, type FromPart } from './sheet-part.ts';

const SHEET = fileURLToPath(new URL('../sheet/', import.meta.url));
const PROCESSES = 2;

await rm(SHEET, { recursive: true, force: true });
await mkdir(SHEET, { recursive: true });
const started = performance.now();
const made = new Map<number, Sample[]>();
const failures: string[] = [];
const waiting = [...listWork().keys()];
await Promise.all(Array.from({ length: PROCESSES }, workOff));
const samples = [...made].toSorted(([a], [b]) => a - b).flatMap(([, some]) => some);
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
const facts = `${samples.length} samples in ${minutes} minutes, ${PROCESSES} processes, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}. Times are of one sample while another is made beside it.`;
await writeFile(join(SHEET, 'index.html'), writePage(samples, facts, failures));
for (const failure of failures) console.error(failure);
console.log(`${facts}\n${join(SHEET, 'index.html')}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** One process takes piece after piece until none is left. */
function workOff(): Promise<void> {
  const child = fork(fileURLToPath(new URL('sheet-part.ts', import.meta.url)), [SHEET]);
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromPart) => {
      if (message.kind === 'made') made.set(message.piece, message.samples);
      if (message.kind === 'broke') failures.push(`${message.piece} broke: ${message.why}`);
      sendNext(child);
    });
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a part of the sheet ended with ${code}`)),
    );
  });
}

function sendNext(child: ChildProcess): void {
  const piece = waiting.shift();
  if (piece === undefined) child.disconnect();
  else child.send(piece);
}
