// @vitest-environment jsdom
import { Component, type ComponentType, type ReactNode } from 'react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lazyPart } from './lazyPart.tsx';

class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError = () => ({ isBroken: true });
  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <button onClick={() => this.setState({ isBroken: false })}>Try again</button>;
  }
}

test('a part that could not be fetched is fetched anew when it is drawn again', async () => {
  const loud = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => loud.mockRestore());
  const load = vi.fn<() => Promise<ComponentType>>().mockRejectedValueOnce(new TypeError('no network'));
  load.mockResolvedValue(() => <p>there</p>);
  const Part = lazyPart(load);
  render(
    <Boundary>
      <Part />
    </Boundary>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('there')).toBeTruthy();
});

test('in place of a spare part that could not be fetched stands something else, until it is drawn again', async () => {
  const load = vi.fn<() => Promise<ComponentType>>().mockRejectedValueOnce(new TypeError('no network'));
  load.mockResolvedValue(() => <p>there</p>);
  const Part = lazyPart(load, () => <p>room</p>, 'spare');
  const { rerender } = render(<Part key="first" />);
  await vi.waitFor(() => expect(load).toHaveBeenCalled());
  expect(await screen.findByText('room')).toBeTruthy();
  rerender(<Part key="second" />);
  expect(await screen.findByText('there')).toBeTruthy();
});
