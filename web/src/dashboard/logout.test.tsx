// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../test/screen.tsx';
import { startServer, type Answer } from '../../test/server.ts';
import { useDeletions } from '../media/useDeletions.ts';
import { useLogout } from './logout.ts';

function Screen() {
  const { add } = useDeletions();
  return (
    <>
      <button onClick={() => add('a')}>Delete</button>
      <button onClick={useLogout()}>Logout</button>
    </>
  );
}

test('a deletion that waits for "Undo" is done before the session ends', async () => {
  const done: string[] = [];
  const answerLater: Answer = async ({ method }, response) => {
    if (method === 'DELETE') await new Promise((resolve) => setTimeout(resolve, 50));
    done.push(method ?? '');
    response.writeHead(204).end();
  };
  const { origin } = await startServer({
    'DELETE /api/v1/media/a': answerLater,
    'POST /api/v1/auth/sign-out': answerLater,
  });
  renderScreen(<Screen />, { origin });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(done).toEqual(['DELETE', 'POST']));
});
