import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import './auth.css';
import mark from './pictures/google-mark.svg';

type GoogleButtonProps = {
  label: string;
  isLocal: boolean;
  isOff: boolean;
  onGo?: () => void;
};

/** The way in by Google, in the colours and the letters of its brand rules (Sign in with Google, 2025). */
export function GoogleButton({ label, isLocal, isOff, onGo }: GoogleButtonProps) {
  return (
    <div className="google">
      {isOff ? (
        <Button large fullWidth disabled icon={<GoogleMark />}>
          {label}
        </Button>
      ) : (
        <a
          className={`${buttonClass({ look: 'quiet', large: true, fullWidth: true })} google`}
          href="/auth/google/start"
          onClick={onGo}
        >
          <GoogleMark />
          {label}
        </a>
      )}
      {isLocal && <p className="caption door-hint">Local sign-in on this machine</p>}
    </div>
  );
}

function GoogleMark() {
  return <img className="drawing" src={mark} width={20} height={20} alt="" />;
}
