/**
 * What the page and the worker that cuts out say to each other. A photo goes in as the file itself and never further.
 */
export type ToWorker = { photo: Blob };

/** Why there is no result: nothing clear in the photo, no picture, nothing to cut with, or a browser that cannot. */
export type Reason = 'unclear' | 'unreadable' | 'not-fetched' | 'not-here';

export type FromWorker =
  /** How much of the network and its runtime is there, 0 to 1. */
  | { kind: 'fetching'; share: number }
  | { kind: 'looking' }
  /** The cut-out, and what it looks like in each of the scenes, in their order. */
  | { kind: 'done'; cutOut: Blob; inScenes: Blob[] }
  | { kind: 'ended'; reason: Reason };
