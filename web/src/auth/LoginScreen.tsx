import { Check } from 'lucide';
import { type MouseEvent, useEffect, useState } from 'react';
import type { SignInOptions } from '@plinth/contract/auth';
import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { sayWelcome } from '@plinth/contract/site';
import type { AnswerSchema } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { useInBrowser } from '../platform/useInBrowser.ts';
import { useAsyncValue } from '../platform/useAsyncValue.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { Drawing } from '../ui/Drawing.tsx';
import { Logo } from '../ui/pages/Logo.tsx';
import { Picture } from '../ui/pages/Picture.tsx';
import { useTitle } from '../ui/ScreenHead.tsx';
import { Segmented } from '../ui/fields/Segmented.tsx';
import './auth.css';
import { EmailForm, useEmailForm } from './EmailForm.tsx';
import { GoogleButton } from './GoogleButton.tsx';
import { readIsAfterEnd, readReturnPath, rememberReturnPath } from './return-path.ts';

const files = import.meta.glob<string>('./pictures/garden-*', { eager: true, query: '?url', import: 'default' });

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
const INVITATION = 'Your photos are waiting for a better place.';
const BENEFITS = [
  'What fails gives its credits back by itself',
  `Photos and results are private, and deleted after ${MEDIA_TTL_SECONDS / 3600} hours`,
  'Paid per picture or video: no subscription, and credits do not expire',
];
export type Mode = keyof typeof words;
const MODES = { 'sign-in': words['sign-in'].title, 'sign-up': words['sign-up'].title };

// Defaults written at build; the installation's own options follow shortly and shift nothing. Until then email signup
// is offered, so text typed early is not lost with its form.
const DEFAULTS: SignInOptions = { emailSignUp: true, google: 'google', demo: null, signUpCredits: 0 };

/** A navigation that the user stops has no event: after this time the page can be used again. */
export const STOPPED_MS = 8000;

export function LoginScreen() {
  const [mode, setMode] = useState<Mode>('sign-in');
  const options = useSignInOptions();
  const isAfterEnd = useInBrowser(readIsAfterEnd, false);
  const email = useEmailForm(mode);
  const [isGoing, setIsGoing] = useState(false);
  // The browser may restore this page from its back/forward cache.
  useWindowEvent('pageshow', ({ persisted }) => persisted && setIsGoing(false));
  useEffect(() => {
    if (!isGoing) return undefined;
    const timer = setTimeout(() => setIsGoing(false), STOPPED_MS);
    return () => clearTimeout(timer);
  }, [isGoing]);
  const isLeaving = email.isSending || isGoing;
  const says = words[mode];
  useTitle(says.title);
  const other: Mode = mode === 'sign-in' ? 'sign-up' : 'sign-in';
  const switchLine = (
    <p className="small">
      {says.question}{' '}
      <button type="button" className="textlink" disabled={isLeaving} onClick={() => setMode(other)}>
        {says.link}
      </button>
    </p>
  );
  const welcome = sayWelcome(options.signUpCredits) || INVITATION;
  const invitation = isAfterEnd ? 'You were signed out. Sign in to go on.' : INVITATION;
  const hasEmail = mode === 'sign-in' || options.emailSignUp;
  return (
    <main className="door-page" id="main">
      <div className="door-form column">
        <Logo />
        <div className="door-in stack">
          <div>
            <h1 className="title-large">{says.title}</h1>
            <p className="door-line">{mode === 'sign-up' ? welcome : invitation}</p>
          </div>
          <Segmented label="Mode" names={MODES} value={mode} isOff={isLeaving} onChange={setMode} />
          {options.google !== 'off' && (
            <GoogleButton
              label={says.google}
              busy={isGoing && says.busy}
              isLocal={options.google === 'local'}
              isOff={email.isSending}
              onGo={(event) => {
                rememberOwnReturnPath();
                setIsGoing(!opensElsewhere(event));
              }}
            />
          )}
          {hasEmail && options.google !== 'off' && <p className="or-line caption in-line">or with email</p>}
          {hasEmail && (
            <EmailForm
              use={email}
              mode={mode}
              label={says.title}
              busy={says.busy}
              isOff={isLeaving}
              demo={mode === 'sign-in' ? options.demo : null}
            >
              {switchLine}
            </EmailForm>
          )}
          {mode === 'sign-up' && <Benefits />}
          {!hasEmail && switchLine}
        </div>
        <p className="caption door-foot underlined-links">
          By continuing you accept the <a href="/terms">Terms of Service</a> and the{' '}
          <a href="/privacy">Privacy Policy</a>.
        </p>
      </div>
      <LoginPicture />
    </main>
  );
}

function Benefits() {
  return (
    <ul className="gets-list small">
      {BENEFITS.map((line) => (
        <li key={line}>
          <Drawing of={Check} size={16} />
          {line}
        </li>
      ))}
    </ul>
  );
}

/** True if the click opens another tab or window, or saves the link. */
const opensElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => ctrlKey || metaKey || shiftKey || altKey;

function rememberOwnReturnPath(): void {
  const to = readReturnPath();
  if (to !== null) rememberReturnPath(to);
}

function LoginPicture() {
  return (
    <div className="door-pic sticks">
      <Picture
        files={files}
        name="garden"
        width={900}
        height={1125}
        sizes="(width >= 768px) 50vw, 100vw"
        loading="eager"
        className="cover"
        alt=""
      />
      <p className="caption on-picture">Hand cream on plaster. A study.</p>
    </div>
  );
}

function useSignInOptions(): SignInOptions {
  const api = useApi();
  const options = useAsyncValue('options', () => api.send('/api/v1/auth/options', optionsSchema));
  // Without an answer the page stays as written: both methods can be tried by pressing them.
  return options === undefined || options === 'failed' ? DEFAULTS : options;
}

/** Shape of our own server's answer. A zod schema would add a quarter to this page's scripts. */
const optionsSchema: AnswerSchema<SignInOptions> = {
  safeParse: (answer) => ({ success: true, data: { ...DEFAULTS, ...(answer as Partial<SignInOptions>) } }),
};
