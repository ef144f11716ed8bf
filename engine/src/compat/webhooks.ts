import type { Clock } from '../clock.ts';
import type { Job } from '../work/job-store.ts';
import type { Jobs } from '../work/jobs.ts';
import { errorText, log } from '../log.ts';
import { signWebhook, type WebhookKey } from './webhook-key.ts';

/**
 * Tells the sender's address that a request has ended: signed, at least once, also when we were restarted in between.
 */

type Parts = {
  jobs: Jobs;
  key: WebhookKey;
  clock: Clock;
  /** Pause before the first repetition; each further one is twice as long. */
  retryMs: number;
  /** The body of one delivery, with the addresses under which the files can be fetched now. */
  describe: (job: Job) => unknown;
};

const MAX_TRIES = 11; // one and ten repetitions; with the usual first pause of 3 s they are over after 51 minutes
const ANSWER_WITHIN_MS = 15_000;
const AT_A_TIME = 4;

/** Keeps webhooks until they are delivered; its owner calls `deliverDue` at intervals. */
export class Webhooks {
  private readonly parts: Parts;
  private readonly underWay = new Set<string>();
  private readonly closing = new AbortController();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  deliverDue(): void {
    const now = this.parts.clock();
    for (const job of this.parts.jobs.withOpenWebhook()) {
      if (this.closing.signal.aborted || this.underWay.size >= AT_A_TIME) return;
      if (this.underWay.has(job.id) || (job.webhook?.nextTryAtMs ?? 0) > now) continue;
      this.underWay.add(job.id);
      void this.deliver(job)
        .catch((error: unknown) => log('webhook_lost', { jobId: job.id, error: errorText(error) }))
        .finally(() => this.underWay.delete(job.id));
    }
  }

  close(): void {
    this.closing.abort();
  }

  private async deliver(job: Job): Promise<void> {
    const { webhook } = job;
    if (!webhook) return;
    const fault = await this.post(webhook.url, job);
    if (this.closing.signal.aborted) return; // asked again after the restart: twice is better than never
    const tries = webhook.tries + 1;
    const isOver = fault === undefined || tries >= MAX_TRIES;
    const nextTryAtMs = this.parts.clock() + this.parts.retryMs * 2 ** (tries - 1);
    await this.parts.jobs.saveWebhook(job, isOver ? undefined : { url: webhook.url, tries, nextTryAtMs });
    if (fault !== undefined) log('webhook_failed', { jobId: job.id, tries, gaveUp: isOver, fault });
  }

  /** One attempt; returns what went wrong. No redirect is followed: it could lead where the address itself may not. */
  private async post(url: string, job: Job): Promise<string | undefined> {
    const body = JSON.stringify(this.parts.describe(job));
    const headers = {
      'content-type': 'application/json',
      ...signWebhook(this.parts.key, job.id, this.parts.clock(), body),
    };
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.ok ? undefined : `answered ${response.status}`;
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }
}
