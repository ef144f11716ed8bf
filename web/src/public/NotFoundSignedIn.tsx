import { NotFoundScreen } from './NotFoundScreen.tsx';

/** The same for somebody with a session. */
export function NotFoundSignedIn() {
  return <NotFoundScreen wayOut={{ href: '/dashboard', label: 'To your tools' }} />;
}
