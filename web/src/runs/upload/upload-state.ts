import type { ApiError } from '../../platform/api.ts';
import { createClientStore } from '../../platform/kept/client-store.ts';
import { isUnanswered } from '../../platform/unanswered.ts';

/** Why nothing is sent just now: the person must do something, or it goes on by itself. */
export type Hindrance = 'paused' | 'credits' | 'signed out' | 'connection' | 'too many' | 'server';

/** Whether only the person can end it. */
export const isForPerson = (hindrance: Hindrance | null) =>
  hindrance === 'paused' || hindrance === 'credits' || hindrance === 'signed out';

export function findHindrance(error: ApiError): Hindrance | null {
  if (error.code === 'insufficient_credits') return 'credits';
  if (error.status === 401) return 'signed out';
  if (error.status === 429) return 'too many';
  // Of one photo alone, whatever the server would have said.
  if (error.code === 'image_read_failed') return null;
  if (error.code === 'network') return 'connection';
  return isUnanswered(error) ? 'server' : null;
}

type UploadState = {
  /** The runs whose photos are sent: true here, false while another tab of this browser does. */
  runs: ReadonlyMap<string, boolean>;
  hindrance: Hindrance | null;
  bytesPerMs: number | null;
  /** Of the photos that are on their way, by photo. */
  bytesSent: ReadonlyMap<string, number>;
};

const NOTHING: UploadState = { runs: new Map(), hindrance: null, bytesPerMs: null, bytesSent: new Map() };
export const useUploadState = createClientStore('session', NOTHING);
