import type { Files } from '../work/files.ts';
import type { Jobs } from '../work/jobs.ts';

/** What the routes work with, put together in main.ts. */
export type Wire = {
  jobs: Jobs;
  files: Files;
  /** What every caller sends; the permission for everything. */
  key: string;
  /** Says what is wrong with an address that a webhook shall go to, if anything. */
  findTargetFault: (address: string) => string | undefined;
  tmpDir: string;
};
