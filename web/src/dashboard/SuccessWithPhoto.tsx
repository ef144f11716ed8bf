import { useMemory } from '../generations/memory.ts';
import { SuccessScreen } from '../payments/SuccessScreen.tsx';

/** After paying, the way leads back to the photo that waited for it. */
export function SuccessWithPhoto() {
  const toolId = useMemory(({ unfinished }) => unfinished);
  return <SuccessScreen photoAt={toolId === null ? null : `/dashboard/${toolId}`} />;
}
