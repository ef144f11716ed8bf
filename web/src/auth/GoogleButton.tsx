import type { MouseEvent } from 'react';
import { buttonClass } from '../ui/button-class.ts';
import './auth.css';
import mark from './pictures/google-mark.svg';

type GoogleButtonProps = {
  label: string;
  /** The label while the browser is on its way to Google. */
  busy?: string | false;
  isLocal: boolean;
  isOff: boolean;
  onGo?: (event: MouseEvent) => void;
};

/** Google sign-in button in the colours and font of its brand rules (Sign in with Google, 2025). */
export function GoogleButton({ label, busy = false, isLocal, isOff, onGo }: GoogleButtonProps) {
  const isGoing = busy !== false;
  return (
    <div className="google holder">
      <a
        className={`${buttonClass({ look: 'quiet', large: true, fullWidth: true })} ${isOff ? '' : 'google'}`}
        role="link"
        tabIndex={0}
        aria-disabled={isOff || isGoing}
        // The browser still follows the address while it is on its way.
        {...(!isOff && { href: '/auth/google/start', onClick: isGoing ? refuse : onGo })}
      >
        {isGoing ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <img className="drawing" src={mark} width={20} height={20} alt="" />
        )}
        {isGoing ? busy : label}
      </a>
      {isLocal && <p className="caption door-hint">Local sign-in on this machine</p>}
    </div>
  );
}

const refuse = (event: MouseEvent) => event.preventDefault();
