// @vitest-environment jsdom
import type { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, startServer } from '../../test/server.ts';
import { putCredits, refetchCredits, useCreditHolds, useCredits } from './useCredits.ts';

/** The balance, and a click that spends one credit of it. */
function Purse() {
  const credits = useCredits();
  const { hold, settle } = useCreditHolds();
  const spend = () => {
    hold(1);
    void settle();
  };
  return (
    <>
      <output>{credits}</output>
      <button onClick={spend}>Spend</button>
    </>
  );
}

const shown = () => screen.getByRole('status').textContent;

test.each<[string, (client: QueryClient) => void]>([
  ['a click settles', () => void fireEvent.click(screen.getByRole('button'))],
  ['the balance is read again', refetchCredits],
])('an event that comes while %s is newer than the answer', async (_, ask) => {
  let answerLate = () => {};
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': inTurn(json({ credits: 10 }), (request, response) => {
      answerLate = () => void json({ credits: 9 })(request, response);
    }),
  });
  const { queryClient } = renderScreen(<Purse />, { origin });
  await waitFor(() => expect(shown()).toBe('10'));
  ask(queryClient);
  await waitFor(() => expect(asked).toHaveLength(2));
  // The work was refused at once: taken, and given back.
  putCredits(queryClient, 9);
  putCredits(queryClient, 10);
  answerLate();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(shown()).toBe('10');
});

test('an answer to one person says nothing to the next', async () => {
  let answerLate = () => {};
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': inTurn(json({ credits: 10 }), (request, response) => {
      answerLate = () => void json({ credits: 9 })(request, response);
    }),
  });
  const { queryClient } = renderScreen(<Purse />, { origin });
  await waitFor(() => expect(shown()).toBe('10'));
  putCredits(queryClient, 10);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(asked).toHaveLength(2));
  act(() => {
    queryClient.removeQueries({ queryKey: ['credits'] });
    putCredits(queryClient, 500);
  });
  answerLate();
  await new Promise((resolve) => setTimeout(resolve, 100));
  // What shows it is drawn anew for the next person.
  expect(queryClient.getQueryData(['credits'])).toBe(500);
});

test('a click is shown as spent at once, never below zero, and what the server says then counts', async () => {
  const { origin } = await startServer({
    'GET /api/v1/credits': inTurn(json({ credits: 0 }), json({ credits: 7 })),
  });
  const { queryClient } = renderScreen(<Purse />, { origin });
  await waitFor(() => expect(shown()).toBe('0'));
  fireEvent.click(screen.getByRole('button'));
  expect(queryClient.getQueryData(['credits'])).toBe(0);
  await waitFor(() => expect(shown()).toBe('7'));
  putCredits(queryClient, 12);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(shown()).toBe('11'));
});
