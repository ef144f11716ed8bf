// @vitest-environment jsdom
import { useState } from 'react';
import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Purchase, PurchaseStatus } from '@plinth/contract/payments';
import { renderScreen } from '../../test/screen.tsx';
import { type Answer, hangUp, inTurn, json, startServer } from '../../test/server.ts';
import { useIsLate } from '../ui/Delayed.tsx';
import { SuccessScreen } from './SuccessScreen.tsx';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const purchase = (status: PurchaseStatus, minutes = 1): Purchase => ({
  id: 'pur_1',
  package: 'standard',
  credits: 20,
  price: { amount: 1500, currency: 'USD' },
  status,
  checkoutUrl: '',
  createdAt: minutesAgo(minutes + 5),
  completedAt: status === 'pending' ? null : minutesAgo(minutes),
  receipt: status === 'paid' ? { number: 'R-000001', url: '/receipt-of-pur_1', pdfUrl: '' } : null,
});

const listed = (items: Purchase[]) => json({ items, nextCursor: null });

async function open(given: Purchase[] | Answer, screenToShow = <SuccessScreen waiting={null} />) {
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 20 }),
    'GET /api/v1/purchases': typeof given === 'function' ? given : listed(given),
  });
  renderScreen(screenToShow, { origin, path: '/success' });
  return screen.findByRole('heading', { level: 1 });
}

test.each([
  ['pending', 'Confirming your payment', 'Return to Dashboard'],
  ['paid', 'Payment Successful!', 'Return to Dashboard'],
  ['review', 'We are checking your payment', 'Return to Dashboard'],
  ['failed', 'Payment declined.', 'Back to your credits'],
  ['canceled', 'Payment cancelled.', 'Back to your credits'],
  ['expired', 'Payment cancelled.', 'Back to your credits'],
] as const)('a purchase that is %s says: %s', async (status, title, way) => {
  const heading = await open([purchase(status)]);
  expect(heading.textContent).toBe(title);
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(screen.getByRole('link', { name: way })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Your receipt' }) !== null).toBe(status === 'paid');
});

test('a photo that waits for credits is where the way leads back to', async () => {
  await open([purchase('paid')], <SuccessScreen waiting={{ to: '/dashboard/remover', what: 'photo' }} />);
  expect(screen.getByRole('link', { name: 'Back to your photo' }).getAttribute('href')).toBe('/dashboard/remover');
  expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toBeTruthy();
});

test('what could not be looked up is said, and asked for until it is known', async () => {
  const heading = await open(inTurn(hangUp, listed([purchase('paid')])));
  expect(heading.textContent).toBe('Your payment could not be looked up yet');
  expect(await screen.findByText('Payment Successful!')).toBeTruthy();
});

test('what has the focus keeps it while nothing new is said', async () => {
  function Renewed() {
    const [times, setTimes] = useState(0);
    return (
      <>
        <button onClick={() => setTimes(times + 1)}>Again</button>
        <SuccessScreen waiting={null} />
      </>
    );
  }
  await open([purchase('pending')], <Renewed />);
  const way = screen.getByRole('link', { name: 'Return to Dashboard' });
  way.focus();
  fireEvent.click(screen.getByRole('button', { name: 'Again' }));
  expect(document.activeElement).toBe(way);
});

test('opened by hand without a purchase it thanks nobody', async () => {
  expect((await open([])).textContent).toBe('No payment yet');
});

test.each(['paid', 'failed', 'canceled', 'expired'] as const)(
  'an old link after a purchase that is %s says nothing of it',
  async (status) => {
    const heading = await open([purchase(status, 70)]);
    expect(heading.textContent).toBe('No new payment');
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toContain('Back to your credits');
    expect(screen.queryByText(/Thank you|receipt|Balance/)).toBeNull();
  },
);

test('an old order that nobody paid does not say that its credits come in a few seconds', async () => {
  await open([purchase('pending', 70)]);
  expect(screen.getByText(/^The payment company has not told us of a payment yet\. If you have paid,/)).toBeTruthy();
});

test('what is checked by a person says so as long as it lasts', async () => {
  expect((await open([purchase('review', 4000)])).textContent).toBe('We are checking your payment');
});

test('a wait is late after its time, and not before, nor once it is over', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ isWaiting }) => useIsLate(isWaiting, 30_000), {
    initialProps: { isWaiting: true },
  });
  void act(() => vi.advanceTimersByTime(29_900));
  expect(result.current).toBe(false);
  void act(() => vi.advanceTimersByTime(200));
  expect(result.current).toBe(true);
  rerender({ isWaiting: false });
  expect(result.current).toBe(false);
  vi.useRealTimers();
});
