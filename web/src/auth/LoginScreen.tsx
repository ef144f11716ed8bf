import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signInOptionsSchema, type SignInOptions } from '@plinth/contract/auth';
import { useApi } from '../platform/useApi.ts';
import { useSearchParam } from '../platform/useSearchParam.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/Logo.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';
import './auth.css';
import { EmailForm } from './EmailForm.tsx';
import large from './pictures/garden-900.avif';
import largeWebp from './pictures/garden-900.webp';
import small from './pictures/garden-480.avif';
import smallWebp from './pictures/garden-480.webp';
import { useSession } from './useSession.ts';

const words = {
  'sign-in': {
    title: 'Sign In',
    google: 'Sign in with Google',
    question: 'New here?',
    link: 'Sign up instead',
    busy: 'Signing in...',
  },
  'sign-up': {
    title: 'Sign Up',
    google: 'Sign up with Google',
    question: 'Already have an account?',
    link: 'Sign in',
    busy: 'Processing...',
  },
} as const;
export type Mode = keyof typeof words;

const CLOSED: SignInOptions = { emailSignUp: false, google: 'google', demo: null };

/** The door: Google in both modes, email and password where this installation offers it. */
export function LoginScreen() {
  const [mode, setMode] = useState<Mode>('sign-in');
  const [isLeaving, setIsLeaving] = useState(false);
  const { options, isKnown, isSettled } = useSignInOptions();
  useLeaveWhenSignedIn();
  const says = words[mode];
  useTitle(says.title);
  const other: Mode = mode === 'sign-in' ? 'sign-up' : 'sign-in';
  const hasEmail = mode === 'sign-in' || options.emailSignUp;
  return (
    <main className="door" id="main">
      <div className="door-form">
        <Logo />
        <div className={isSettled ? 'door-in' : 'door-in invisible'}>
          <div>
            <h1 className="t1">{says.title}</h1>
            <p className="body mt-1.5 text-ink-2">Your photos are waiting for a better place.</p>
          </div>
          <div className="seg" role="group" aria-label="Mode">
            {(['sign-in', 'sign-up'] as const).map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={mode === one}
                disabled={isLeaving}
                onClick={() => setMode(one)}
              >
                {words[one].title}
              </button>
            ))}
          </div>
          {options.google !== 'off' && (
            <GoogleButton label={says.google} isLocal={options.google === 'local'} isOff={isLeaving} />
          )}
          {hasEmail && options.google !== 'off' && <p className="or tag">or with email</p>}
          {hasEmail && (
            <EmailForm
              key={mode}
              mode={mode}
              label={says.title}
              busy={says.busy}
              demo={mode === 'sign-in' && isKnown ? options.demo : null}
              onBusy={setIsLeaving}
            />
          )}
          <p className="small">
            {says.question}{' '}
            <button type="button" className="textlink" disabled={isLeaving} onClick={() => setMode(other)}>
              {says.link}
            </button>
          </p>
        </div>
      </div>
      <DoorPicture />
    </main>
  );
}

function GoogleButton({ label, isLocal, isOff }: { label: string; isLocal: boolean; isOff: boolean }) {
  return (
    <div className="grid gap-2">
      {isOff ? (
        <Button big wide disabled icon={<Icon name="google" />}>
          {label}
        </Button>
      ) : (
        <a className={buttonClass({ look: 'quiet', big: true, wide: true })} href="/auth/google/start">
          <Icon name="google" />
          {label}
        </a>
      )}
      {isLocal && <p className="tag text-center">Local sign-in on this machine</p>}
    </div>
  );
}

function DoorPicture() {
  return (
    <div className="door-pic">
      <picture>
        <source type="image/avif" srcSet={`${small} 480w, ${large} 900w`} sizes="(min-width: 768px) 50vw, 100vw" />
        <img
          src={largeWebp}
          srcSet={`${smallWebp} 480w, ${largeWebp} 900w`}
          sizes="(min-width: 768px) 50vw, 100vw"
          width={900}
          height={1125}
          alt=""
        />
      </picture>
      <p className="tag">Hand cream on plaster. A study.</p>
    </div>
  );
}

function useSignInOptions() {
  const api = useApi();
  const { data, isPending } = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => api.send('/api/v1/auth/options', signInOptionsSchema),
    staleTime: Infinity,
  });
  return { options: data ?? CLOSED, isKnown: data !== undefined, isSettled: !isPending };
}

/** Whoever has a session goes on, to where they came from. */
function useLeaveWhenSignedIn(): void {
  const { data: session } = useSession();
  const navigate = useNavigate();
  const to = useSearchParam('to');
  useEffect(() => {
    if (session) void navigate({ href: inside(to), replace: true });
  }, [session, navigate, to]);
}

/** Only paths of the dashboard: an address from outside must not lead elsewhere. */
export function inside(path: unknown): string {
  return typeof path === 'string' && /^\/(dashboard|success)(\/|$|\?)/.test(path) ? path : '/dashboard';
}
