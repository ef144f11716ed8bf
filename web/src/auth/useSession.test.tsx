// @vitest-environment jsdom
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeSession } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { setClock } from '../platform/clock.ts';
import { useSessionRefresh } from './useSession.ts';

const MINUTE_MS = 60_000;

test('a clock that is an hour behind lets no session end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const serverNow = Date.now() + 60 * MINUTE_MS;
  const at = (minutes: number) => new Date(serverNow + minutes * MINUTE_MS).toISOString();
  setClock(at(0));
  const { origin, asked } = await startServer({
    'POST /api/v1/auth/refresh': json(makeSession({ expiresAt: at(600) })),
  });
  const session = makeSession({ expiresAt: at(20) });
  function Signed() {
    useSessionRefresh(session);
    return null;
  }
  renderScreen(<Signed />, { origin });
  await vi.advanceTimersByTimeAsync(16 * MINUTE_MS);
  await vi.waitFor(() => expect(asked).toContain('POST /api/v1/auth/refresh'));
});
