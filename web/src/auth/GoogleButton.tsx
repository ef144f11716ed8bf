import { buttonClass } from '../ui/button-class.ts';
import './auth.css';
import mark from './pictures/google-mark.svg';

type GoogleButtonProps = {
  label: string;
  isLocal: boolean;
  isOff: boolean;
  onGo?: () => void;
};

/** Google sign-in button in the colours and font of its brand rules (Sign in with Google, 2025). */
export function GoogleButton({ label, isLocal, isOff, onGo }: GoogleButtonProps) {
  return (
    <div className="google holder">
      <a
        className={`${buttonClass({ look: 'quiet', large: true, fullWidth: true })} ${isOff ? '' : 'google'}`}
        role="link"
        tabIndex={0}
        aria-disabled={isOff}
        {...(!isOff && { href: '/auth/google/start', onClick: onGo })}
      >
        <img className="drawing" src={mark} width={20} height={20} alt="" />
        {label}
      </a>
      {isLocal && <p className="caption door-hint">Local sign-in on this machine</p>}
    </div>
  );
}
