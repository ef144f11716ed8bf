import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button-class.ts';
import { EmptyPlinth } from '../ui/EmptyPlinth.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';

export function NotFoundInside() {
  useTitle('Not found');
  return (
    <div className="empty-state">
      <h1 className="title-large" tabIndex={-1}>
        There is nothing on this plinth.
      </h1>
      <p className="small">The page has moved or never was.</p>
      <Link className={buttonClass({ look: 'primary' })} to="/dashboard">
        To your tools
      </Link>
      <EmptyPlinth />
    </div>
  );
}
