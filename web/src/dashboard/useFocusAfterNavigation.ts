import { useEffect } from 'react';
import { useRouter } from '@tanstack/react-router';
import { ACCOUNT_PATH } from '../account/parts.ts';
import { HISTORY_PATH } from '../media/viewer-path.ts';

/** Focuses the title after a change of screen; back from the large view, the control that opened it. */
export function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (!fromLocation || screenOf(fromLocation.pathname) === screenOf(toLocation.pathname)) return;
        if (document.querySelector('[role=dialog]') !== null) return;
        (findOpener(fromLocation.pathname) ?? document.querySelector<HTMLElement>('main h1'))?.focus();
      }),
    [router],
  );
}

function screenOf(pathname: string): string {
  return [HISTORY_PATH, ACCOUNT_PATH].find((screen) => pathname.startsWith(screen)) ?? pathname;
}

function findOpener(pathname: string): HTMLElement | undefined {
  if (!pathname.startsWith(`${HISTORY_PATH}/`)) return undefined;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a:not([tabindex="-1"])')];
  const leadsLarge = (link: HTMLAnchorElement) => link.pathname.startsWith(`${HISTORY_PATH}/`);
  return links.find((link) => link.pathname === pathname) ?? links.find(leadsLarge);
}
