import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** The lasting trace of an error. Not a live region: the toast speaks, and the control is described by this box. */
export function ErrorBox({ id, children, action }: { id?: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="error" id={id}>
      <Icon name="warning" />
      <span>{children}</span>
      {action}
    </div>
  );
}
