import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { isToolId, type ToolId } from '@plinth/contract/tools';
import { useGenerationToasts } from './generations/generation-toasts.ts';
import { Tray } from './generations/Tray.tsx';
import { useFollowed } from './generations/useFollowed.ts';
import { useOwnGenerations } from './generations/useStage.ts';
import { useTray } from './generations/useTray.ts';
import './layout.css';
import { PHONE, useMediaQuery } from './platform/media-query.ts';
import { useOnline } from './platform/online.ts';
import { useUser } from './SignedIn.tsx';

// Only the bars that this width needs are loaded.
const Sidebar = lazy(async () => ({ default: (await import('./Sidebar.tsx')).Sidebar }));
const PhoneTop = lazy(async () => ({ default: (await import('./PhoneBars.tsx')).PhoneTop }));
const PhoneTabs = lazy(async () => ({ default: (await import('./PhoneBars.tsx')).PhoneTabs }));

/** The sidebar (on a phone: top and bottom bar), the screen beside it, and the tray of running work. */
export function DashboardLayout() {
  const user = useUser();
  const { followed } = useFollowed(useQueryClient());
  useGenerationToasts(followed, useOwnGenerations());
  useUnseenTitle(followed.filter(({ status }) => status === 'succeeded').length);
  useFocusAfterNavigation();
  const tray = useTray(useToolInView());
  const isOnline = useOnline();
  const isPhone = useMediaQuery(PHONE);
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Suspense fallback={<div className={isPhone ? 'phone-top' : 'side'} />}>
        {isPhone ? <PhoneTop tray={tray} /> : <Sidebar running={tray.running} />}
      </Suspense>
      <div className="min-w-0">
        {!isOnline && (
          <p className="offline" role="status">
            You are offline. What is running carries on; this page catches up when you are back.
          </p>
        )}
        <main className="main" id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense>{isPhone && <PhoneTabs running={tray.running} />}</Suspense>
      {!isPhone && tray.isVisible && <Tray rows={tray.rows} runningCount={tray.running.length} userId={user.id} />}
    </div>
  );
}

function useToolInView(): ToolId | null {
  const last = useLocation().pathname.split('/')[2] ?? '';
  return isToolId(last) ? last : null;
}

/** After a change of screen the reading begins at its title. */
function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) document.querySelector<HTMLElement>('main h1')?.focus();
      }),
    [router],
  );
}

/** "(1) Plinth" when something became ready while this tab was hidden. */
function useUnseenTitle(finishedCount: number): void {
  const [seenCount, setSeenCount] = useState(finishedCount);
  const title = useRef('');
  useEffect(() => {
    const handleVisible = () => !document.hidden && setSeenCount(finishedCount);
    document.addEventListener('visibilitychange', handleVisible);
    return () => document.removeEventListener('visibilitychange', handleVisible);
  }, [finishedCount]);
  const unseen = finishedCount - seenCount;
  useEffect(() => {
    if (!document.hidden || unseen <= 0) return undefined;
    title.current = document.title;
    document.title = `(${unseen}) Plinth`;
    return () => {
      document.title = title.current;
    };
  }, [unseen]);
}
