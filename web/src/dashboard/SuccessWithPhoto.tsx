import { useMemory } from '../generations/memory.ts';
import { SuccessScreen } from '../payments/SuccessScreen.tsx';
import { NOT_STARTED, usePhotos } from '../runs/photos.ts';
import { runPath } from '../runs/useRuns.ts';
import { CATALOGUE_PATH } from './navigation.ts';

export function SuccessWithPhoto() {
  const toolId = useMemory(({ unfinished }) => unfinished);
  const runId = usePhotos(({ photos }) => photos.find(({ state }) => state === 'waiting')?.runId);
  if (toolId !== null) return <SuccessScreen waiting={{ to: `/dashboard/${toolId}`, what: 'photo' }} />;
  if (runId === undefined) return <SuccessScreen waiting={null} />;
  const to = runId === NOT_STARTED ? `${CATALOGUE_PATH}/new` : runPath(runId);
  return <SuccessScreen waiting={{ to, what: 'catalogue' }} />;
}
