import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { Media } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { mediaQuery, sayUnread } from './media-queries.ts';
import { linkToHistory } from './viewer-path.ts';

/**
 * The result that the address names, and the ways on from it. It need not be among those that are listed: the address
 * may come from another device, or lead further back than what was read so far.
 */
export function useViewed(listed: readonly Media[]) {
  const api = useApi();
  const { history } = useRouter();
  const navigate = useNavigate();
  const mediaId = useParams({ strict: false, select: (params) => params.mediaId });
  const index = listed.findIndex(({ id }) => id === mediaId);
  const alone = useQuery({ ...mediaQuery(api, mediaId ?? ''), enabled: mediaId !== undefined && index < 0 });
  const error = mediaId !== undefined && index < 0 ? alone.error : null;
  useEffect(() => {
    if (error === null) return;
    sayUnread(error, 'viewed');
    void navigate({ ...linkToHistory(), replace: true });
  }, [error, navigate]);

  const leave = () => void navigate({ ...linkToHistory(), replace: true, resetScroll: false });
  return {
    media: mediaId === undefined ? undefined : (listed[index] ?? alone.data),
    position: index < 0 ? null : { at: index + 1, of: listed.length },
    onTurn: (step: 1 | -1) => {
      const next = index < 0 ? undefined : listed[index + step];
      if (next !== undefined) void navigate({ ...linkToHistory(next.id), replace: true, resetScroll: false });
    },
    onClose: () => (history.canGoBack() ? history.back() : leave()),
    leave,
  };
}
