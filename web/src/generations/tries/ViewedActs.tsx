import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Generation } from '@plinth/contract/generations';
import type { Media } from '@plinth/contract/media';
import { mainPictureField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { tools } from '@plinth/contract/tools';
import { useApi } from '../../platform/useApi.ts';
import type { SecondTriesProps } from './SecondTries.tsx';
import { SecondTries } from './second-tries.tsx';
import { useBefore } from '../useBefore.ts';
import { readGeneration } from '../useFollowed.ts';
import { findMarkable } from '../subject.ts';
import { useSecondTry } from './useSecondTry.ts';
import { useServedTool } from '../useTools.ts';
import { showGeneration } from '../memory.ts';

type ViewedActsProps = { media: Media };

export function ViewedActs({ media }: ViewedActsProps) {
  const api = useApi();
  const before = useBefore(media.generationId, media.input === null ? null : media.id);
  const { data: generation } = useQuery<Generation>({
    queryKey: ['viewed', media.generationId],
    queryFn: () => readGeneration(api, media.generationId),
  });
  if (generation === undefined || generation.result === null) return null;
  return <Acts media={media} generation={generation} result={generation.result} before={before} />;
}

type ActsProps = Pick<SecondTriesProps, 'generation' | 'result'> & ViewedActsProps & { before: Blob | null };

function Acts({ media, generation, result, before }: ActsProps) {
  const navigate = useNavigate();
  const tool: Tool = tools[media.tool];
  const show = (id: string) => {
    showGeneration({ id, tool: media.tool });
    void navigate({ to: `/dashboard/${media.tool}` });
  };
  const second = useSecondTry({ generation, onShow: show });
  const { entry } = useServedTool(media.tool);
  return (
    <SecondTries
      tool={tool}
      generation={generation}
      result={result}
      cutFrom={findMarkable(tool, entry) === mainPictureField(tool) ? before : null}
      isFormFree={false}
      second={second}
    />
  );
}
