import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText, log } from '../log.ts';
import { setNetworkThreads } from '../cutout/network-file.ts';
import { makeOperatorMatting } from '../cutout/operator-network.ts';
import { ownMatting } from '../cutout/own-matting.ts';
import { Refusal } from '../refusal.ts';
import type { Task, WorkerEnd, WorkerMessage, WorkerStart } from './task.ts';
import { findSkill } from '../skills/skills.ts';

/** A worker process: runs the pool's tasks one at a time and keeps networks loaded. */

const HEARTBEAT_INTERVAL_MS = 2000;

lowerPriority();
process.on('disconnect', () => process.exit(0)); // the engine is gone, and with it the caller
process.on('message', (message) => void attempt(message as Task).then(send));
setInterval(() => send({ kind: 'beat', rssBytes: process.memoryUsage.rss() }), HEARTBEAT_INTERVAL_MS);
const start = JSON.parse(process.argv[2] ?? '') as WorkerStart;
setNetworkThreads(start.threads);
const matting = start.card === undefined ? ownMatting : makeOperatorMatting(start.card);
send({ kind: 'ready' });
if (start.preloads) void ownMatting.prepare();

async function attempt(task: Task): Promise<WorkerEnd> {
  try {
    const skill = findSkill(task.skill);
    if (!skill) throw new Error(`there is no skill ${task.skill}`);
    const { run } = await skill.load();
    const result = await run({ ...task, seed: await chooseSeed(task), matting, report });
    return { kind: 'done', result };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', message: error.message, candidate: error.candidate };
    log('task_failed', { task: task.id, error: errorText(error) });
    return { kind: 'broke', reason: errorText(error) };
  }
}

/** Lowers the priority, so that requests to the server are answered first. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It already has a lower priority (nice), or the user may not change it.
  }
}

async function report(percent: number): Promise<void> {
  send({ kind: 'progress', percent: Math.min(99, Math.round(percent)) });
  await nextTurn(); // lets a disconnect and the heartbeat be handled between two steps
}

async function chooseSeed(task: Task): Promise<number> {
  if (typeof task.input['seed'] === 'number') return task.input['seed'];
  const hash = createHash('sha256').update(JSON.stringify([task.skill, task.input]));
  for (const [field, path] of Object.entries(task.pictures)) {
    hash.update(field);
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return hash.digest().readUInt32BE(0);
}

function send(message: WorkerMessage): void {
  // A callback for the error, which would be thrown if the engine is gone.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
