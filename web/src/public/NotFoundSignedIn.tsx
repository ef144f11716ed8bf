import { NotFoundScreen } from './NotFoundScreen.tsx';

export function NotFoundSignedIn() {
  return <NotFoundScreen wayOut={{ href: '/dashboard', label: 'To your tools' }} />;
}
