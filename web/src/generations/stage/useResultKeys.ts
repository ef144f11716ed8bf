import { useNavigate } from '@tanstack/react-router';
import type { Tool } from '@plinth/contract/tool';
import { canCopyPictures, copyPicture, downloadMedia } from '../../media/download.ts';
import { linkToHistory } from '../../media/viewer-path.ts';
import { useApi } from '../../platform/useApi.ts';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';
import type { Made } from '../tries/SecondTries.tsx';

/** Keys of the result while the focus is on the stage. */
export function useResultKeys(tool: Tool, result: Made['result']): void {
  const api = useApi();
  const navigate = useNavigate();
  useWindowEvent('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    const stage = target.closest('.stage');
    if (stage === null || target.matches('input:not([type=range]), textarea')) return;
    if (key === 'Enter' && target === stage) void navigate({ ...linkToHistory(result.mediaId), resetScroll: false });
    if (key === 'd') void downloadMedia(api, result, tool.says.downloadFailed);
    if (key === 'c' && tool.file.type === 'png' && canCopyPictures()) void copyPicture(api, result.contentUrl);
  });
}
