import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { Media } from '@plinth/contract/media';
import { useApi } from '../platform/useApi.ts';
import { mediaQuery, sayUnread } from './media-queries.ts';
import { linkToHistory } from './viewer-path.ts';

/**
 * The result in the address, and the ways on from it. It may be missing from the loaded list: the address may come from
 * another device or lead further back.
 */
export function useViewed(listed: readonly Media[]) {
  const api = useApi();
  const { history } = useRouter();
  const navigate = useNavigate();
  const mediaId = useParams({ strict: false, select: (params) => params.mediaId });
  const among = useLocation({ select: ({ state }) => state.among });
  const inList = listed.find(({ id }) => id === mediaId);
  const isAlone = mediaId !== undefined && inList === undefined;
  const alone = useQuery({ ...mediaQuery(api, mediaId ?? ''), enabled: isAlone });
  // The previous one stays visible until the next is loaded, unless the viewer was closed in between.
  const [shown, setShown] = useState<Media>();
  const media = mediaId === undefined ? undefined : (inList ?? alone.data ?? shown);
  if (media !== shown) setShown(media);
  const error = isAlone ? alone.error : null;
  const ids = among ?? listed.map(({ id }) => id);
  const index = ids.indexOf(mediaId ?? '');
  useEffect(() => {
    if (error === null) return;
    sayUnread(error, 'viewed');
    void navigate({ ...linkToHistory(), replace: true });
  }, [error, navigate]);

  const leave = () => void navigate({ ...linkToHistory(), replace: true, resetScroll: false });
  return {
    media,
    position: index < 0 ? null : { at: index + 1, of: ids.length },
    /** True if the next one may be on a page not yet loaded. */
    isLast: among === undefined && inList !== undefined && inList === listed.at(-1),
    onTurn: (step: 1 | -1) => {
      const next = index < 0 ? undefined : ids[index + step];
      if (next !== undefined) void navigate({ ...linkToHistory(next, among), replace: true, resetScroll: false });
    },
    onClose: () => (history.canGoBack() ? history.back() : leave()),
    leave,
  };
}
