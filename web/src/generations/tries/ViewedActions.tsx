import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Generation } from '@plinth/contract/generations';
import type { Media } from '@plinth/contract/media';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { useApi } from '../../platform/useApi.ts';
import { SecondTries } from './second-tries.tsx';
import { readGeneration, useBefore } from '../followed.ts';
import { findMarkable } from '../subject.ts';
import { useSecondTry, VIEWED_KEY } from '../useSecondTry.ts';
import { narrowTool, useServedTool } from '../useTools.ts';
import { showGeneration } from '../memory.ts';

export function ViewedActions({ media }: { media: Media }) {
  const api = useApi();
  const navigate = useNavigate();
  const { entry } = useServedTool(media.tool);
  const tool = narrowTool(media.tool, entry);
  const before = useBefore({ id: media.generationId, input: media.input });
  const { data: generation = null } = useQuery<Generation>({
    queryKey: [...VIEWED_KEY, media.generationId],
    queryFn: () => readGeneration(api, media.generationId),
    staleTime: 0, // Each try reduces the number left.
  });
  const second = useSecondTry(generation, (id) => {
    showGeneration({ id, tool: media.tool });
    void navigate({ to: `/dashboard/${media.tool}` });
  });
  if (!generation?.result) return null;
  return (
    <SecondTries
      generation={{ ...generation, result: generation.result }}
      cutFrom={findMarkable(tool, entry) === mainPictureField(tool) ? before : null}
      offersVersion
      second={second}
    />
  );
}
