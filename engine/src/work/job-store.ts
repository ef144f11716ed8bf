import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findJson, makePrivateFolder, writeDurably } from './durable.ts';
import type { Outcome } from '../problem.ts';

/** A message about the job's end that its sender asked for; gone from the job once it is delivered or given up. */
export type OpenWebhook = {
  url: string;
  tries: number;
  nextTryAtMs: number;
};

/** One accepted request, from submit to purge. On disk it is jobs/<id>/job.json beside the pictures it was sent. */
export type Job = {
  id: string;
  app: string;
  input: Record<string, unknown>;
  /** Names of the fields whose pictures lie in the job's folder. */
  pictures: string[];
  isLowPriority: boolean;
  createdAtMs: number;
  startBeforeMs?: number;
  outputLivesMs?: number;
  /** Worker processes lost to this job; survives restarts, so that no picture can kill us for ever. */
  crashes: number;
  startedAtMs?: number;
  finishedAtMs?: number;
  outcome?: Outcome;
  percent?: number;
  webhook?: OpenWebhook;
  logs: { message: string; level: 'INFO'; source: 'USER'; timestamp: string }[];
};

export class JobStore {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  async open(): Promise<Job[]> {
    await makePrivateFolder(this.root);
    const jobs: Job[] = [];
    for (const id of await readdir(this.root)) {
      const job = (await findJson(join(this.root, id, 'job.json'))) as Job | undefined;
      if (job?.id === id) jobs.push(job);
      else await this.remove(id); // a submit that crashed before it was answered
    }
    return jobs.sort((a, b) => a.createdAtMs - b.createdAtMs);
  }

  /** Pictures first, job.json last: a folder with a job.json is a whole job. */
  async add(job: Job, pictures: Record<string, Uint8Array>): Promise<void> {
    await makePrivateFolder(this.folder(job.id));
    for (const [field, bytes] of Object.entries(pictures)) {
      await writeDurably(this.picturePath(job.id, field), bytes);
    }
    await this.save(job);
  }

  async save(job: Job): Promise<void> {
    await writeDurably(join(this.folder(job.id), 'job.json'), JSON.stringify(job));
  }

  /** The pictures are the seller's: they go as soon as nobody needs them any more. */
  async dropPictures(job: Job): Promise<void> {
    for (const field of job.pictures) await rm(this.picturePath(job.id, field), { force: true });
  }

  async remove(id: string): Promise<void> {
    await rm(this.folder(id), { recursive: true, force: true });
  }

  picturePaths(job: Job): Record<string, string> {
    return Object.fromEntries(job.pictures.map((field) => [field, this.picturePath(job.id, field)]));
  }

  private picturePath(id: string, field: string): string {
    return join(this.folder(id), `${field}.picture`);
  }

  private folder(id: string): string {
    return join(this.root, id);
  }
}
