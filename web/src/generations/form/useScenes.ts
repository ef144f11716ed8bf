import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { sceneSchema, type Scene } from '@plinth/contract/generations';
import { useApi } from '../../platform/useApi.ts';

const scenesSchema = z.object({ items: z.array(sceneSchema) });
const NONE: readonly Scene[] = [];

/** The engine's own scenes; none if a provider serves the tool or scenes are not wanted. */
export function useScenes(isWanted = true): { scenes: readonly Scene[]; isPending: boolean } {
  const api = useApi();
  const { data, isLoading } = useQuery({
    queryKey: ['scenes'],
    queryFn: () => api.send('/api/v1/scenes', scenesSchema),
    // Scenes never change, but an engine that has just started has not reported any yet.
    staleTime: ({ state }) => (state.data?.items.length ? Infinity : 0),
    enabled: isWanted,
  });
  return { scenes: data?.items ?? NONE, isPending: isLoading };
}
