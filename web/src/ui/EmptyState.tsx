import type { ReactNode } from 'react';
import { EmptyPlinth } from './EmptyPlinth.tsx';

type EmptyStateProps = { title: string; line?: string; children?: ReactNode };

/** Where nothing is yet: an empty plinth, below what would bring something. */
export function EmptyState({ title, line, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <h2 className="title-small">{title}</h2>
      {line !== undefined && <p className="small">{line}</p>}
      {children}
      <EmptyPlinth />
    </div>
  );
}
