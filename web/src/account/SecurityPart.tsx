import { Link } from '@tanstack/react-router';
import { type SessionEntry, sessionEntrySchema } from '@plinth/contract/auth';
import { pageSchema } from '@plinth/contract/paging';
import { toApiError } from '../platform/api.ts';
import { useAnswer } from '../platform/useAnswer.ts';
import { useUser } from '../platform/useUser.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { formatShortDateTime } from '../ui/format.ts';
import { Loaded } from '../ui/Loaded.tsx';
import { useAction } from '../ui/useAction.ts';
import { describeBrowser } from './describe-browser.ts';
import { Panel } from './Panel.tsx';

const PATH = '/api/v1/auth/sessions';
const KEY = ['sessions'];
const sessionPage = pageSchema(sessionEntrySchema);

export function SecurityPart() {
  const { hasPassword } = useUser();
  return (
    <>
      <Panel title="Password">
        <p className="small">
          {hasPassword
            ? 'A new password signs out every other browser.'
            : 'You have none: you sign in with Google. With a password you can also sign in by email.'}
        </p>
        <Link className={buttonClass({ atStart: true })} to="/dashboard/change-password">
          {hasPassword ? 'Change Password' : 'Set a password'}
        </Link>
      </Panel>
      <Panel title="Where you are signed in">
        <Sessions />
      </Panel>
    </>
  );
}

function Sessions() {
  const sessions = useAnswer(KEY, `${PATH}?limit=100`, sessionPage, { staleTime: 0 });
  const end = useAction(
    (own, id: string | null) => own.command(id === null ? PATH : `${PATH}/${id}`, { method: 'DELETE' }),
    { stale: KEY },
  );
  return (
    <Loaded query={sessions} failed="Your sessions could not be loaded.">
      {({ items }) => (
        <>
          <ul>
            {items
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <SessionRow key={session.id} session={session} isLocked={end.isPending} onEnd={end.mutate} />
              ))}
          </ul>
          {end.isError && <ErrorBox>{toApiError(end.error).message}</ErrorBox>}
          {items.length > 1 && (
            <Button atStart asksServer busy={end.isPending && 'Signing out...'} onClick={() => end.mutate(null)}>
              Sign out all others
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}

type SessionRowProps = { session: SessionEntry; isLocked: boolean; onEnd: (id: string) => void };

function SessionRow({ session, isLocked, onEnd }: SessionRowProps) {
  const { id, current, createdAt, lastSeenAt, userAgent } = session;
  const name = describeBrowser(userAgent);
  return (
    <li className="access-row spread ruled">
      <div>
        <b>{name}</b> {current && <span className="badge is-good">This browser</span>}
        <p className="small">
          Signed in {formatShortDateTime(createdAt)}, last seen {formatShortDateTime(lastSeenAt)}
        </p>
      </div>
      {!current && (
        <Button
          look="borderless"
          asksServer
          disabled={isLocked}
          aria-label={`Sign out ${name}`}
          onClick={() => onEnd(id)}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
