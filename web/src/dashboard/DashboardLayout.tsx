import { Outlet, useLocation } from '@tanstack/react-router';
import { isToolId } from '@plinth/contract/tools';
import { DropAnywhere } from './DropAnywhere.tsx';
import { useGenerationToasts } from '../generations/tray/generation-toasts.ts';
import { useFollowed } from '../generations/useFollowed.ts';
import { readStage, useMemory } from '../generations/memory.ts';
import { useTray } from '../generations/tray/useTray.ts';
import './layout.css';
import { PHONE, useMediaQuery } from '../platform/media-query.ts';
import { useOnline } from '../platform/online.ts';
import { useResumedUploads } from '../runs/upload/useResumedUploads.ts';
import { PhoneTabs, PhoneTop } from './PhoneBars.tsx';
import { Sidebar } from './Sidebar.tsx';
import { useFocusAfterNavigation } from './useFocusAfterNavigation.ts';
import { useUnseenTitle } from './useUnseenTitle.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

const Tray = lazyPart(async () => (await import('../generations/tray/Tray.tsx')).Tray, undefined, 'spare');

export function DashboardLayout() {
  const { followed } = useFollowed();
  const screen = useLocation().pathname.split('/')[2] ?? '';
  const toolInView = isToolId(screen) ? screen : null;
  const isHistoryInView = screen === 'history';
  const toastIds = useMemory((memory) => memory.toastIds);
  const stage = useMemory((memory) => (toolInView === null ? null : readStage(toolInView, memory)));
  useGenerationToasts(followed, toastIds, stage);
  useUnseenTitle(followed.filter(({ status }) => status === 'succeeded').length);
  useFocusAfterNavigation();
  useResumedUploads();
  const tray = useTray(toolInView, isHistoryInView);
  const isOnline = useOnline();
  const isPhone = useMediaQuery(PHONE);
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
        <main className="main-column" id="main" tabIndex={-1}>
          <Outlet />
          <DropAnywhere />
        </main>
      </div>
      {isPhone && <PhoneTabs screen={screen} />}
      {!isPhone && tray.isVisible && <Tray tray={tray} />}
    </div>
  );
}
