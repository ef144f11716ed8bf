import { findUnfinished } from '../generations/unfinished.ts';
import { SuccessScreen } from '../payments/SuccessScreen.tsx';

/** After paying, the way leads back to the photo that waited for it. */
export function SuccessWithPhoto() {
  const toolId = findUnfinished();
  return <SuccessScreen photoAt={toolId === null ? null : `/dashboard/${toolId}`} />;
}
