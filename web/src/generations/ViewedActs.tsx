import { Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Generation } from '@plinth/contract/generations';
import type { Media } from '@plinth/contract/media';
import { tools } from '@plinth/contract/tools';
import { useApi } from '../platform/useApi.ts';
import type { ResultViewProps } from './ResultView.tsx';
import { SecondTries } from './second-tries.ts';
import { useBefore } from './useBefore.ts';
import { readGeneration } from './useFollowed.ts';
import { useSecondTry } from './useSecondTry.ts';
import { showGeneration } from './stage-store.ts';

type ViewedActsProps = { media: Media };

/** The second tries of a result that is looked at in the history. What they start goes on at its tool. */
export function ViewedActs({ media }: ViewedActsProps) {
  const api = useApi();
  const navigate = useNavigate();
  const before = useBefore(media.generationId, media.input === null ? null : media.id);
  const { data: generation } = useQuery<Generation>({
    queryKey: ['viewed', media.generationId],
    queryFn: () => readGeneration(api, media.generationId),
  });
  if (generation === undefined || generation.result === null) return null;
  return (
    <Acts
      tool={tools[media.tool]}
      generation={generation}
      result={generation.result}
      before={before}
      description=""
      onShow={(id) => {
        showGeneration({ id, tool: media.tool });
        void navigate({ to: `/dashboard/${media.tool}` });
      }}
    />
  );
}

function Acts(props: ResultViewProps) {
  const second = useSecondTry(props);
  return (
    <Suspense>
      <SecondTries {...props} second={second} />
    </Suspense>
  );
}
