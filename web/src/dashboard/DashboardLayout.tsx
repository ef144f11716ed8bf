import { Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { isToolId } from '@plinth/contract/tools';
import { useFollowed } from '../generations/followed.ts';
import { useGenerationToasts, useTray } from '../generations/tray/useTray.ts';
import './layout.css';
import { PHONE, useMediaQuery } from '../platform/media-query.ts';
import { useOnline } from '../platform/online.ts';
import { useResumedUploads } from '../runs/upload/useResumedUploads.ts';
import { CATALOGUE_PATH } from './navigation.ts';
import { PhoneTabs, PhoneTop } from './PhoneBars.tsx';
import { Sidebar } from './Sidebar.tsx';
import { useFocusAfterNavigation } from './useFocusAfterNavigation.ts';
import { useUnseenTitle } from './useUnseenTitle.ts';
import { useIsLate } from '../ui/Delayed.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';
import { Track } from '../ui/Track.tsx';
import { usePageFiles } from '../ui/wells/usePageFiles.ts';

const UseDropped = lazyPart(async () => (await import('./UseDropped.tsx')).UseDropped);
const Tray = lazyPart(async () => (await import('../generations/tray/Tray.tsx')).Tray, undefined, 'spare');

export function DashboardLayout() {
  const { followed } = useFollowed();
  const screen = useLocation().pathname.split('/')[2] ?? '';
  const toolInView = isToolId(screen) ? screen : null;
  const isHistoryInView = screen === 'history';
  useUnseenTitle(followed.filter(({ status }) => status === 'succeeded').length);
  useFocusAfterNavigation();
  useResumedUploads();
  const tray = useTray(toolInView, isHistoryInView);
  const isOnline = useOnline();
  const isPhone = useMediaQuery(PHONE);
  const ended = useGenerationToasts(followed, toolInView, tray.isVisible && tray.isOpen && !isPhone);
  return (
    <div className="app-frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {isPhone ? <PhoneTop tray={tray} /> : <Sidebar />}
      <div className="column grows">
        {!isOnline && (
          <p className="offline sticks" role="status">
            You are offline. What is running carries on; this page catches up when you are back.
          </p>
        )}
        <ScreenWait />
        <main className="main-column" id="main" tabIndex={-1}>
          <Outlet />
          <DropAnywhere />
        </main>
      </div>
      {isPhone && <PhoneTabs screen={screen} />}
      {!isPhone && tray.isVisible && <Tray tray={tray} />}
      <p className="sr-only" role="status">
        {ended && <span key={ended.id}>{ended.sentence}</span>}
      </p>
    </div>
  );
}

const WAIT_SHOWN_AFTER_MS = 300;

/** A line over the last screen while the next one is on its way. */
function ScreenWait() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  if (!useIsLate(isPending, WAIT_SHOWN_AFTER_MS)) return null;
  return (
    <div className="screen-wait sticks">
      <Track label="Loading" share={null} />
    </div>
  );
}

/** Screens that handle photos themselves. */
const TAKERS = ['/dashboard/check', `${CATALOGUE_PATH}/new`];

/** Handles photos dropped or pasted on other screens, where the browser would leave the app to open them. */
function DropAnywhere() {
  const { pathname } = useLocation();
  const isTaken = TAKERS.includes(pathname) || isToolId(pathname.split('/')[2] ?? '');
  return isTaken ? null : <Catcher key={pathname} />;
}

function Catcher() {
  const [files, setFiles] = useState<readonly File[]>([]);
  usePageFiles((given) => setFiles([...given.files]));
  if (files.length === 0) return null;
  return <UseDropped files={files} onClose={() => setFiles([])} />;
}
