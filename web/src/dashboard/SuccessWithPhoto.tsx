import { useMemory } from '../generations/memory.ts';
import { SuccessScreen } from '../payments/SuccessScreen.tsx';

export function SuccessWithPhoto() {
  const toolId = useMemory(({ unfinished }) => unfinished);
  return <SuccessScreen photoAt={toolId === null ? null : `/dashboard/${toolId}`} />;
}
