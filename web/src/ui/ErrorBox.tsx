import { TriangleAlert } from 'lucide';
import type { ReactNode } from 'react';
import { Drawing } from './Drawing.tsx';

/**
 * The lasting display of an error. Not a live region: the toast announces it, and the control is described by this box.
 */
export function ErrorBox({ id, children, action }: { id?: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="error" id={id}>
      <Drawing of={TriangleAlert} />
      <span>{children}</span>
      {action}
    </div>
  );
}
