import type { CSSProperties } from 'react';
import type { Tool } from '@plinth/contract/tool';
import { BlobImage } from '../../ui/BlobImage.tsx';
import { chosenOf, type Draft } from '../drafts.ts';

/**
 * How far an app covers a 9:16 frame with its own text and buttons, from the top, right, bottom and left. Reels: Meta's
 * guide for advertisers, March 2026. TikTok: an in-feed clip with a short caption. Looked up on 26 November 2026.
 */
const COVERED = [
  { app: 'TikTok', at: 'at-foot', inset: '8% 14% 22% 0%' },
  { app: 'Reels', at: 'at-top', inset: '14% 6% 35% 6%' },
];
const TALL = 9 / 16;

/** True if the clip is made from a square of the photo. */
export const isSquared = ({ fields }: Tool): boolean =>
  Object.values(fields).some((field) => field.kind === 'image' && field.prepare === 'square');

/** Width divided by height of the clip that the form would make; null if the tool makes none. */
export function findRatio(tool: Tool, draft: Draft): number | null {
  if (isSquared(tool)) return 1;
  for (const [name, field] of Object.entries(tool.fields)) {
    if (field.kind !== 'choice') continue;
    const [, width, height] = /^(\d+):(\d+)$/.exec(chosenOf(field, draft[name])) ?? [];
    if (width !== undefined && height !== undefined) return Number(width) / Number(height);
  }
  return null;
}

export function ClipShape({ ratio, photo }: { ratio: number; photo: Blob }) {
  return (
    <div className="print-room">
      <div className="clip-shape" style={{ '--ratio': ratio } as CSSProperties}>
        <BlobImage blob={photo} className="cover" alt="Your photo in the shape of the clip" />
        {ratio === TALL &&
          COVERED.map(({ app, at, inset }) => (
            <div key={app} className="safe-zone" style={{ inset }}>
              <span className={`caption on-picture ${at}`}>{`Free in ${app}`}</span>
            </div>
          ))}
      </div>
    </div>
  );
}
