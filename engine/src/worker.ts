// A worker process: loads the picture libraries once, then does one task at a time for the pool.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkPictures } from './defects.ts';
import { errorText, log } from './log.ts';
import { chooseMatter } from './matting/choose-matter.ts';
import type { Matter } from './matting/matter.ts';
import type { NetworkSettings } from './matting/network-settings.ts';
import { loadOpenCv } from './pixels/opencv.ts';
import { FieldProblem } from './problem.ts';
import type { TaskEnd, WorkerMessage, WorkerTask } from './pool.ts';
import { findSkill } from './skills/skills.ts';

const BEAT_EVERY_MS = 2000;

// Pictures can wait a moment; whoever asks the product for an answer should not.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on('disconnect', () => process.exit(0)); // the engine is gone: nobody wants the result
process.on('message', (message) => void doTask(message as WorkerTask));
setInterval(() => tell({ kind: 'beat', rssBytes: process.memoryUsage.rss() }), BEAT_EVERY_MS);
await loadOpenCv();
tell({ kind: 'ready' });

async function doTask(task: WorkerTask): Promise<void> {
  tell(await attempt(task));
}

async function attempt(task: WorkerTask): Promise<Extract<TaskEnd, { kind: 'done' | 'refused' | 'broke' }>> {
  try {
    const skill = findSkill(task.app);
    if (!skill) throw new Error(`no skill serves ${task.app}`);
    const { run } = await skill.load();
    const result = await run({
      ...task,
      seed: await chooseSeed(task),
      matter: findMatter(task.network),
      report: makeReport(),
    });
    await checkPictures(result, task.pictures);
    return { kind: 'done', result };
  } catch (error) {
    if (error instanceof FieldProblem) return { kind: 'refused', entries: [error.entry] };
    log('task_failed', { jobId: task.jobId, error: errorText(error) });
    return { kind: 'broke', reason: errorText(error) };
  }
}

const matters = new Map<string, Matter>();

/** One matter for all tasks, so that a network is loaded once; without settings the classical one. */
function findMatter(network: NetworkSettings | undefined): Matter {
  const path = network?.path ?? '';
  const matter = matters.get(path) ?? chooseMatter(network, (news) => tell({ kind: 'network', news }));
  matters.set(path, matter);
  return matter;
}

function makeReport() {
  let reached = 0;
  return async (percent: number, message: string) => {
    reached = Math.max(reached, Math.min(99, Math.round(percent)));
    tell({ kind: 'progress', percent: reached, message });
    await nextTurn(); // lets a disconnect and the beat in between two steps
  };
}

async function chooseSeed(task: WorkerTask): Promise<number> {
  if (typeof task.input['seed'] === 'number') return task.input['seed'];
  const hash = createHash('sha256').update(JSON.stringify([task.app, task.input]));
  for (const [field, path] of Object.entries(task.pictures)) {
    hash.update(field);
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return hash.digest().readUInt32BE(0);
}

function tell(message: WorkerMessage): void {
  // With somewhere to put the error: without an engine that listens, it would be thrown.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
