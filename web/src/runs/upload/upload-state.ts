import { create } from 'zustand';
import { isOutcomeUnknown, type ApiError } from '../../platform/api.ts';

/** Why uploads are paused: the user must act, or they resume by themselves. */
export type Obstacle = 'paused' | 'credits' | 'connection' | 'too many' | 'server';

/** True if only the user can resume them. */
export const needsUser = (obstacle: Obstacle | null) => obstacle === 'paused' || obstacle === 'credits';

export function findObstacle(error: ApiError): Obstacle | null {
  if (error.code === 'insufficient_credits') return 'credits';
  // The session has ended, and this page is being left.
  if (error.status === 401) return 'paused';
  if (error.status === 429) return 'too many';
  // About one photo, whatever the server's answer would have been.
  if (error.code === 'image_read_failed') return null;
  if (error.code === 'network') return 'connection';
  return isOutcomeUnknown(error) ? 'server' : null;
}

type UploadState = {
  /** The runs whose photos are uploaded: true here, false in another tab of this browser. */
  runs: ReadonlyMap<string, boolean>;
  obstacle: Obstacle | null;
  bytesPerMs: number | null;
  /** Progress of the photos being uploaded, by photo. */
  bytesSent: ReadonlyMap<string, number>;
};

const NOTHING: UploadState = { runs: new Map(), obstacle: null, bytesPerMs: null, bytesSent: new Map() };
export const useUploadState = create(() => NOTHING);
